import { rm } from 'node:fs/promises';
import { readOwnFile, replaceFile } from '../files/private-files.ts';
import { UsageError } from '../run-program.ts';
import type { Outcome } from './send-batch.ts';

export type Counts = Record<Outcome, number>;

/** The progress of an import. It contains nothing from the file except a checksum. */
export interface ImportState {
  /** A SHA-256 of the file, the options and the server, so that no other import can resume from this state. */
  readonly source: string;
  /** A SHA-256 of what the names in the file stood for at the beginning; absent if it has none. */
  readonly names?: string | undefined;
  /** Rows at the beginning of the file that are done. */
  readonly rowsDone: number;
  /** Bytes of the result file that report these rows. */
  readonly resultBytes: number;
  readonly counts: Counts;
}

export function beginState(source: string, names?: string): ImportState {
  const counts = { created: 0, updated: 0, unchanged: 0, applied: 0, failed: 0 };
  return { source, names, rowsDone: 0, resultBytes: 0, counts };
}

/** Reads the progress of an interrupted import; returns `undefined` if there is none. */
export async function readState(path: string): Promise<ImportState | undefined> {
  const text = await readOwnFile(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as ImportState;
  } catch {
    throw new UsageError(
      `${path} does not hold the progress of an import; remove it, or give another --result`,
    );
  }
}

/** Replaces the state atomically, so that a kill leaves either the old or the new one. */
export async function writeState(path: string, state: ImportState): Promise<void> {
  await replaceFile(path, (file) => file.writeFile(`${JSON.stringify(state)}\n`));
}

export async function removeState(path: string): Promise<void> {
  await rm(path, { force: true });
}
