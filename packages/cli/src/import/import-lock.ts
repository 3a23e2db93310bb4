import { rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openOwnFile } from '../files/private-files.ts';
import { UsageError } from '../run-program.ts';
import type { ImportPaths } from './import-paths.ts';

/** Keeps other imports from the same result file. The lock ends with its process, however that ends. */
export class ImportLock implements Disposable {
  readonly #database: DatabaseSync;
  readonly #remove: () => void;

  private constructor(path: string, database: DatabaseSync) {
    this.#database = database;
    this.#remove = () => remove(path);
    process.once('exit', this.#remove);
  }

  /** @throws {UsageError} while another import has the lock */
  static async take(paths: ImportPaths): Promise<ImportLock> {
    for (;;) {
      const database = hold(paths, await makeFile(paths.lockPath));
      if (database !== undefined) return new ImportLock(paths.lockPath, database);
    }
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove);
    // While the lock is held: the next import must not lock a file that is about to go.
    this.#remove();
    this.#database.close();
  }
}

/** Makes the file if it is missing and returns its inode. Refuses a link, which SQLite would follow. */
async function makeFile(path: string): Promise<bigint> {
  // Closed before SQLite locks the file: closing any descriptor of a file ends the locks that the process has on it.
  await using file = await openOwnFile(path);
  const { ino } = await file.stat({ bigint: true });
  return ino;
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Only a locked file keeps other imports out, so one that is left behind does no harm.
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** How long to wait, in milliseconds, for imports that read who holds the lock. */
const readersTimeoutMs = 2000;

/**
 * Node.js has no file locks of its own; SQLite's are the system's. This one lets others read the holder's process id.
 * Returns nothing if the previous import has removed the file, because a lock on it would keep nobody out.
 */
function hold({ lockPath, resultPath }: ImportPaths, inode: bigint): DatabaseSync | undefined {
  const database = new DatabaseSync(lockPath, { timeout: 0 });
  try {
    if (lock(database, () => inodeOf(lockPath) === inode)) return database;
    database.close();
    return undefined;
  } catch (error) {
    const holder = isBusy(error) ? sayHolder(database) : undefined;
    database.close();
    if (holder === undefined)
      throw new Error(
        `${lockPath} cannot be locked (${(error as Error).message}); remove it once no import runs, or give a --result on another disk`,
        { cause: error },
      );
    throw new UsageError(
      `another import${holder} is writing ${resultPath}; wait until it ends, or give another --result`,
    );
  }
}

/** Locks the file in the name of this process. Returns whether the file is still the one that others lock. */
function lock(database: DatabaseSync, isCurrent: () => boolean): boolean {
  database.exec('begin immediate');
  database.exec(`pragma busy_timeout = ${readersTimeoutMs}`);
  while (isCurrent()) {
    if (holderOf(database) === process.pid) return true;
    // Others can read only what is committed. One of them may get the lock between the two transactions.
    database.exec(`pragma user_version = ${process.pid}`);
    database.exec('commit');
    database.exec('begin immediate');
  }
  return false;
}

function isBusy(error: unknown): boolean {
  const busy = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === busy;
}

/** Returns an addition to a sentence; empty if the holder cannot be read, because it has only begun. */
function sayHolder(database: DatabaseSync): string {
  try {
    const pid = holderOf(database);
    return pid === 0 ? '' : ` (process ${pid})`;
  } catch {
    return '';
  }
}

/** Returns the id of the process that has or had the lock last; 0 in a new file. */
function holderOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.user_version);
}
