import { type BigIntStats, statSync } from 'node:fs';

/** The log and its index beside the database; both are there for as long as a connection is open. */
const endings = ['', '-wal', '-shm'];

/**
 * The files of an open database as they were. SQLite goes on with a file that was removed or replaced: what is written
 * to it is gone with the last connection.
 */
export class FileIdentity {
  readonly #files: readonly { readonly path: string; readonly found: string | undefined }[];

  /** @param path of a database that has just been opened and read from */
  constructor(path: string) {
    this.#files = endings.map((ending) => ({ path: path + ending, found: identityOf(path + ending) }));
  }

  /** The first file that is not the one that was opened. Takes some microseconds. */
  changedFile(): string | undefined {
    for (const { path, found } of this.#files) if (identityOf(path) !== found) return path;
    return undefined;
  }
}

function identityOf(path: string): string | undefined {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
