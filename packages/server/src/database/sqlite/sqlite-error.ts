import { DatabaseBusyError } from '../database.ts';

/** SQLite's primary result codes for faults of its environment, and what each means for the database. */
const faults: Readonly<Record<number, string>> = {
  5: 'is locked by another process',
  6: 'is locked by another statement',
  8: 'can only be read',
  10: 'cannot be read or written, because its disk fails',
  11: 'is damaged',
  13: 'has no room left on its disk',
  14: 'cannot be opened',
  15: 'is locked by another process',
  26: 'is damaged',
};

const [ioError, corrupt, full, notADatabase] = [10, 11, 13, 26];

/** SQLITE_IOERR_SHMSIZE: the file `-shm` could not grow. SQLite calls only a write to the database or its log full. */
const sharedMemorySize = 4874;

/** SQLITE_IOERR_WRITE: writing to the log failed, so its last part, which completes the commit, is missing. */
const ioErrorWrite = 778;

/**
 * Turns an error from SQLite's environment into a `DatabaseBusyError`; returns others unchanged. The effects of a
 * failed statement are undone with its transaction or savepoint.
 */
export function toBusyError(error: unknown): unknown {
  const fault = faults[primaryCodeOf(error)];
  if (fault === undefined) return error;
  return new DatabaseBusyError(`the database ${fault}: ${(error as Error).message}`, { cause: error });
}

/**
 * Whether a failed commit may be complete in the log. A transaction's last page completes it there; after that page
 * only the sync can fail, and a restart would find the commit.
 */
export function mayBeInLog(error: unknown): boolean {
  const code = codeOf(error);
  return (code & 0xff) === ioError && code !== ioErrorWrite;
}

/** Whether the file's content cannot be what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const primary = codeOf(error) & 0xff;
  return primary === corrupt || primary === notADatabase;
}

/**
 * Whether an error or one of its causes is a fault of the disk, or of the right to write to it. Damage is none: the disk
 * returns what was written to it.
 */
export function isDiskFault(error: unknown): boolean {
  if (diskFaults.has(codeOf(error) & 0xff)) return true;
  return error instanceof Error && isDiskFault(error.cause);
}

const diskFaults = new Set([8, ioError, 13, 14]);

/** Returns SQLite's primary result code, by which a full disk is always full; 0 for any other error. */
export function primaryCodeOf(error: unknown): number {
  const code = codeOf(error);
  return code === sharedMemorySize ? full : code & 0xff;
}

/** Returns SQLite's extended result code; 0 for any other error. */
export function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}
