import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BusyError } from '../../../errors/busy-error.ts';
import { NotReadyError, type ReadinessCheck } from '../../../readiness/readiness-check.ts';
import { isDamage, isDiskFault } from '../errors/sqlite-error.ts';
import { FileIdentity } from './file-identity.ts';
import { holdsWriteLock } from './write-locks.ts';

/** With less free space the disk counts as full; the smallest write takes some kilobytes. */
const freeBytesMin = 1024 * 1024;

// SQLite also reports a read that failed only temporarily as damage.
const damaged =
  'its file is damaged or could not be read; run fieldroster doctor before you restore a backup: see "A damaged database" in docs/runbook.md';
const moved =
  'its file was removed or replaced while this node runs; if it was removed, do not stop the node yet, because it still has the file: see "A damaged database" in docs/runbook.md; otherwise stop the node, put the file back, and start it';
const folderGone = 'its folder was removed or moved while this node runs; see the check of the database file';
const full = 'its disk has no room left; make room';
const readOnly =
  'its file system is read-only; find the reason in the kernel log (dmesg), and mount it writable again';
const failed = 'the last write failed; see the log of this node';
const lockKept =
  'the system did not end a lock of this node, so neither it nor another process can write; restart this node';

/** Tracks the state of an open database's files and of their disk. */
export class DatabaseHealth {
  readonly checks: readonly ReadinessCheck[] = [
    { name: 'database file', scope: 'node', probe: () => this.#probeFile() },
    { name: 'disk', scope: 'node', probe: () => this.#probeDisk() },
  ];
  readonly #path: string;
  readonly #freeBytesOf: (folder: string) => Promise<number>;
  #files: FileIdentity | undefined;
  #damage: unknown;
  #writeFailure: unknown;
  /** Whether this process held the lock of writes when a write waited for it in vain. */
  #keepsLock = false;

  constructor(path: string, freeBytesOf = freeBytesOnDisk) {
    this.#path = path;
    this.#freeBytesOf = freeBytesOf;
  }

  /** Remembers the current files. Must be called once a connection has read, when all of them exist. */
  watchFiles(): void {
    this.#files = new FileIdentity(this.#path);
  }

  /** Whether the last write failed because of the disk. */
  get writeFailed(): boolean {
    return this.#writeFailure !== undefined;
  }

  /** Records an error of a statement. */
  noteError(error: unknown): void {
    if (isDamage(error)) this.#damage = error;
  }

  /** Records how a group of writes ended; `undefined` means committed. */
  noteCommit(error: unknown): void {
    this.noteError(error);
    if (error === undefined) this.#writeFailure = undefined;
    else if (isDiskFault(error)) this.#writeFailure = error;
  }

  /** Records that a write got its lock. */
  noteLockTaken(): void {
    this.#keepsLock = false;
  }

  /**
   * Records that a write waited for its lock in vain. SQLite keeps a lock that the system fails to end, and takes it for
   * that of another connection.
   *
   * @returns whether this process itself keeps the lock
   */
  noteLockMissed(): boolean {
    this.#keepsLock = holdsWriteLock(this.#path);
    return this.#keepsLock;
  }

  /**
   * Checks the files before a commit.
   *
   * @throws {BusyError} when the commit would go to a damaged file, or to one that was removed or replaced
   */
  requireIntact(): void {
    if (this.#damage !== undefined) {
      throw new BusyError(
        'the file of the database is damaged or could not be read; run fieldroster doctor before you restore a backup',
        {
          cause: this.#damage,
        },
      );
    }
    const changed = this.changedFile();
    if (changed !== undefined)
      throw new BusyError(`${changed} was removed or replaced while the server runs`);
  }

  /** Returns the path of the first file that was removed or replaced since it was opened. */
  changedFile(): string | undefined {
    return this.#files?.changedFile();
  }

  async #probeFile(): Promise<undefined> {
    if (this.changedFile() !== undefined) throw new NotReadyError(moved);
    try {
      readFirstPages(this.#path);
    } catch (error) {
      this.noteError(error);
      if (this.#damage === undefined) throw error;
    }
    if (this.#damage !== undefined) throw new NotReadyError(damaged, { cause: this.#damage });
  }

  async #probeDisk(): Promise<undefined> {
    const freeBytes = await this.#freeBytesOf(dirname(this.#path)).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') throw new NotReadyError(folderGone, { cause });
      throw cause;
    });
    if (freeBytes < freeBytesMin) throw new NotReadyError(full, { cause: this.#writeFailure });
    if (await isReadOnly(this.#path)) throw new NotReadyError(readOnly, { cause: this.#writeFailure });
    if (this.#writeFailure !== undefined) throw new NotReadyError(failed, { cause: this.#writeFailure });
    // A checkpoint of this process may have held it for a moment.
    if (this.#keepsLock && holdsWriteLock(this.#path)) throw new NotReadyError(lockKept);
  }
}

async function freeBytesOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Returns whether the file system is read-only, as the kernel makes it after a fault of the disk. */
function isReadOnly(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'EROFS',
  );
}

/** Reads the first pages on a new connection: one in use has them in memory even after the file is gone. */
function readFirstPages(path: string): void {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    connection.prepare('select name from sqlite_schema').all();
  } finally {
    connection.close();
  }
}
