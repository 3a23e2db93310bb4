import { DatabaseBusyError } from '../database.ts';

/** SQLite's primary result codes that its surroundings cause, and what each says of the database. */
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

const [ioError, corrupt, notADatabase] = [10, 11, 26];

/** The write to the log failed: its last part, which makes the commit, is not there. */
const ioErrorWrite = 778;

/**
 * Turns an error that SQLite's surroundings cause into a `DatabaseBusyError`, and leaves the rest as it is: what a
 * statement did before it failed is undone with its transaction or savepoint.
 */
export function toBusyError(error: unknown): unknown {
  const fault = faults[codeOf(error) & 0xff];
  if (fault === undefined) return error;
  return new DatabaseBusyError(`the database ${fault}: ${(error as Error).message}`, { cause: error });
}

/**
 * Whether a commit that failed may be in the log as a whole. The last page of a transaction completes it there; after
 * that page only the sync is left to fail, and a restart would find the commit.
 */
export function mayBeInLog(error: unknown): boolean {
  const code = codeOf(error);
  return (code & 0xff) === ioError && code !== ioErrorWrite;
}

/** Whether the content of the file cannot be what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const primary = codeOf(error) & 0xff;
  return primary === corrupt || primary === notADatabase;
}

/** Whether an error, or what it was told for, lies in the files or their disk, and not in other processes' locks. */
export function isDiskFault(error: unknown): boolean {
  if (diskFaults.has(codeOf(error) & 0xff)) return true;
  return error instanceof Error && error.cause !== undefined && isDiskFault(error.cause);
}

const diskFaults = new Set([8, ioError, corrupt, 13, 14, notADatabase]);

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}
