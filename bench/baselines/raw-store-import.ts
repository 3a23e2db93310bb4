import type { Sample } from '../measurement.ts';
import { serveParent } from '../process/parent.ts';
import { importedRows, importedStore } from '../scenarios/import-stores.ts';
import { openRaw, transaction } from './open-raw.ts';

/** Argument: the folder of a seeded directory. */
const db = openRaw(process.argv[2] ?? '');
const insert = db.prepare('insert into store (tenant_id, code, name, address) values (1, ?, ?, ?)');
let inserted = 0;

serveParent(undefined, insertOnce);

async function insertOnce(): Promise<Sample> {
  const rows = Array.from({ length: importedRows }, (_, index) => importedStore(inserted + index));
  inserted += importedRows;
  const startedAt = performance.now();
  transaction(db, () => {
    for (const { code, name, address } of rows) insert.run(code, name, address);
  });
  return { value: importedRows / ((performance.now() - startedAt) / 1000) };
}
