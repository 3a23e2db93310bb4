import { type BigIntStats, statSync } from 'node:fs';

/** What the names of a database, its log and the log's index end in; all exist while a connection is open. */
export const fileEndings = ['', '-wal', '-shm'];

/**
 * The files of an open database when it was opened. SQLite keeps using a removed or replaced file, and what it writes
 * there is lost with the last connection.
 */
export class FileIdentity {
  readonly #path: string;
  readonly #files: readonly { readonly path: string; readonly found: string | undefined }[];

  /** @param path of a database that was just opened and read from */
  constructor(path: string) {
    this.#path = path;
    this.#files = fileEndings.map((ending) => ({ path: path + ending, found: identityOf(path + ending) }));
  }

  /** Returns the path of the first file that was removed or replaced since it was opened. Takes a few microseconds. */
  changedFile(): string | undefined {
    for (const { path, found } of this.#files) if (identityOf(path) !== found) return path;
    return undefined;
  }

  /**
   * Returns whether the database itself was removed or replaced. Can also be asked once its connections are closed:
   * the last one removes the log and its index.
   */
  isReplaced(): boolean {
    return this.changedFile() === this.#path;
  }
}

function identityOf(path: string): string | undefined {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
