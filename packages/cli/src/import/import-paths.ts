import { stat } from 'node:fs/promises';
import { UsageError } from '../run-program.ts';
import { isTable, type SourceFile } from './read-rows.ts';
import { requireResultFile } from './result-file.ts';

/** The paths of the files that an import writes. */
export interface ImportPaths {
  /** Gets the outcome of every row. */
  readonly resultPath: string;
  /** Records the progress until the import is complete. */
  readonly statePath: string;
  /** Is locked while the import runs. */
  readonly lockPath: string;
  /** Gets the rows that failed, once the import is complete: lines of JSON for a file of them, CSV for a table. */
  readonly failedPath: string;
}

export function importPaths(
  { path }: SourceFile,
  { result }: { readonly result?: string | undefined },
): ImportPaths {
  const resultPath = result ?? `${path}.result.csv`;
  return {
    resultPath,
    statePath: `${resultPath}.state`,
    lockPath: `${resultPath}.lock`,
    failedPath: `${result ?? path}.failed.${isTable(path) ? 'csv' : 'jsonl'}`,
  };
}

/**
 * Refuses to overwrite the file that is imported, under whatever name, and a result file that no import has written.
 *
 * @throws {UsageError}
 */
export async function requireNothingLost({ path }: SourceFile, paths: ImportPaths): Promise<void> {
  const source = await identify(path);
  for (const written of Object.values(paths)) {
    if (source !== undefined && source === (await identify(written)))
      throw new UsageError(
        `${written} is the file to import, and this import would overwrite it; give another --result`,
      );
  }
  await requireResultFile(paths.resultPath);
}

/** Returns what two names of one file have in common; `undefined` when there is no such file. */
async function identify(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found && `${found.dev} ${found.ino}`;
}
