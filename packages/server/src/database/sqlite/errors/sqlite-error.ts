import { BusyError } from '../../../errors/busy-error.ts';
import { causesOf } from '../../../errors/causes-of.ts';
import { legible } from './damage-report.ts';

/** SQLite's primary result codes for faults of its environment. */
export const resultCodes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
} as const;

/** The meaning of each fault, as the end of a sentence about the database. */
const faults: Readonly<Record<number, string>> = {
  [resultCodes.busy]: 'is locked by another process',
  [resultCodes.locked]: 'is locked by another statement',
  [resultCodes.readOnly]: 'can only be read',
  [resultCodes.ioError]: 'cannot be read or written, because its disk is failing',
  [resultCodes.corrupt]: 'is damaged',
  [resultCodes.full]: 'has no room left on its disk',
  [resultCodes.cannotOpen]: 'cannot be opened',
  [resultCodes.protocol]: 'is locked by another process',
  [resultCodes.notADatabase]: 'is damaged',
};

/** SQLITE_IOERR_SHMSIZE: the file `-shm` could not grow. SQLite calls only a write to the database or its log full. */
const sharedMemorySize = 4874;

/** SQLITE_IOERR_WRITE: writing to the log failed, so its last part, which completes the commit, is missing. */
const ioErrorWrite = 778;

/**
 * Turns an error from SQLite's environment into a `BusyError`; returns others unchanged. The effects of a
 * failed statement are undone with its transaction or savepoint.
 */
export function toBusyError(error: unknown): unknown {
  const fault = faults[primaryCodeOf(error)];
  if (fault === undefined) return error;
  return new BusyError(`the database ${fault}: ${legible((error as Error).message)}`, {
    cause: error,
  });
}

/**
 * Returns whether a failed commit may be complete in the log. A transaction's last page completes it there; after that
 * page only the sync can fail, and a restart would find the commit.
 */
export function mayBeInLog(error: unknown): boolean {
  const code = codeOf(error);
  return (code & 0xff) === resultCodes.ioError && code !== ioErrorWrite;
}

/** SQLITE_READONLY_ROLLBACK */
const readOnlyRollback = 776;

/**
 * Returns whether a change was interrupted, and a connection that may write must undo it before the database can be
 * read.
 */
export function needsRollback(error: unknown): boolean {
  return codeOf(error) === readOnlyRollback;
}

/**
 * Returns whether the system refused a write or a larger file. SQLite does not pass on its reason, which is a limit of
 * the process as often as a fault of the disk.
 */
export function isRefusedGrowth(error: unknown): boolean {
  const code = codeOf(error);
  return code === ioErrorWrite || code === sharedMemorySize;
}

/** Returns whether the file's content cannot be what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  const primary = primaryCodeOf(error);
  return primary === resultCodes.corrupt || primary === resultCodes.notADatabase;
}

/**
 * Returns whether an error or one of its causes is a fault of the disk, or of the right to write to it.
 * Damage is not such a fault: the disk returns what was written to it.
 */
export function isDiskFault(error: unknown): boolean {
  return causesOf(error).some((cause) => diskFaults.has(primaryCodeOf(cause)));
}

const diskFaults = new Set<number>([
  resultCodes.readOnly,
  resultCodes.ioError,
  resultCodes.full,
  resultCodes.cannotOpen,
]);

/** Returns SQLite's primary result code, by which a full disk is always full; 0 for any other error. */
export function primaryCodeOf(error: unknown): number {
  const code = codeOf(error);
  return code === sharedMemorySize ? resultCodes.full : code & 0xff;
}

/** Returns SQLite's extended result code; 0 for any other error. */
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;
}
