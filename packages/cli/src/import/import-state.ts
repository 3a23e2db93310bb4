import { rm } from 'node:fs/promises';
import { readOwnFile, replaceFile } from '../private-files.ts';
import { UsageError } from '../run-program.ts';
import type { Outcome } from './send-batch.ts';

export type Counts = Record<Outcome, number>;

/** How far an import has come. Nothing in it comes from the file but its checksum. */
export interface ImportState {
  /** SHA-256 of the file, of how it is read and of where it goes, so that nothing else is taken for its rest. */
  readonly source: string;
  /** Rows at the beginning of the file that are done. */
  readonly rowsDone: number;
  /** Bytes of the result file that tell of them. */
  readonly resultBytes: number;
  readonly counts: Counts;
}

export function beginState(source: string): ImportState {
  const counts = { created: 0, updated: 0, unchanged: 0, applied: 0, failed: 0 };
  return { source, rowsDone: 0, resultBytes: 0, counts };
}

/** Reads how far an interrupted import came; `undefined` when there is none. */
export async function readState(path: string): Promise<ImportState | undefined> {
  const text = await readOwnFile(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as ImportState;
  } catch {
    throw new UsageError(`${path} is no state of an import; remove it, or give another --result`);
  }
}

/** Replaces the state in one step, so that a kill at any moment leaves the one before or this one. */
export async function writeState(path: string, state: ImportState): Promise<void> {
  await replaceFile(path, (file) => file.writeFile(`${JSON.stringify(state)}\n`));
}

export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true });
}
