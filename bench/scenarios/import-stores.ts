import { Program } from '../contenders/program.ts';
import type { Scenario } from '../measurement.ts';

/** The other side neither reads a file nor checks a row. */
export const importStores: Scenario = {
  name: 'import-stores',
  title: 'CSV import of new stores',
  comparedTo: 'prepared inserts, one transaction',
  unit: 'rows/s',
  better: 'higher',
  mark: 0.3,
  // A round is one file, read in a fifth of a second; how long it then waits for the disk differs.
  plan: { rounds: 15 },
  measured: async (bench, subject) => {
    const { folder } = await bench.newDirectory(subject);
    return Program.start('contenders/import-stores.ts', [subject.root, folder], bench.cores.server);
  },
  reference: async (bench, subject) => {
    const { folder } = await bench.newDirectory(subject);
    return Program.start('baselines/raw-store-import.ts', [folder], bench.cores.server);
  },
};

export const importedRows = 50_000;

/** A store that no import before had; they come in the order of their codes. */
export function importedStore(index: number) {
  return {
    code: `T${String(index).padStart(9, '0')}`,
    name: `Store ${index}`,
    address: `${index} High Street`,
  };
}
