import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { causesOf } from '../../../errors/causes-of.ts';
import { OperatorError } from '../../../errors/operator-error.ts';
import { closedFolderAbove } from '../../../machine/closed-folder-above.ts';
import { raiseOpenFiles } from '../../../machine/raise-open-files.ts';
import { legible } from '../errors/damage-report.ts';
import { isRefusedGrowth, needsRollback, primaryCodeOf, resultCodes } from '../errors/sqlite-error.ts';
import { fileBytesMax, openFilesAreSpent } from './process-limits.ts';

/** The database's file cannot be used as it is. */
export class DatabaseFileError extends OperatorError {
  override readonly name = 'DatabaseFileError';
}

type Fault =
  | 'locked'
  | 'closed'
  | 'readOnly'
  | 'readOnlyDisk'
  | 'disk'
  | 'damaged'
  | 'full'
  | 'unopened'
  | 'openFiles'
  | 'fileSize'
  | 'unfinished';

const sqliteFaults: Readonly<Record<number, Fault>> = {
  [resultCodes.busy]: 'locked',
  [resultCodes.readOnly]: 'readOnly',
  [resultCodes.ioError]: 'disk',
  [resultCodes.corrupt]: 'damaged',
  [resultCodes.full]: 'full',
  [resultCodes.cannotOpen]: 'unopened',
  [resultCodes.notADatabase]: 'damaged',
};

const systemFaults: Readonly<Record<string, Fault>> = {
  EACCES: 'closed',
  EPERM: 'closed',
  EROFS: 'readOnlyDisk',
  EIO: 'disk',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EMFILE: 'openFiles',
  EFBIG: 'fileSize',
};

/** The explanation of each kind of fault: what is wrong with the file, and what to do. */
const explanations: Readonly<Record<Fault, (path: string, said: string) => string>> = {
  locked: (path, said) =>
    `is locked by another process (${said}): see which one with fieldroster doctor --data ${dirname(path)}, and try again once it has ended`,
  closed: (path, said) => `may not be used by this user (${said}): ${ownership(path)}`,
  readOnly: (path, said) =>
    `may not be written by this user (${said}), and even a command that only reads has to write files beside it: ${ownership(path)}`,
  readOnlyDisk: (_, said) =>
    `cannot be written (${said}), because its file system is read-only: mount it for writing, or name another folder with --data or FIELDROSTER_DATA`,
  disk: (_, said) =>
    `cannot be read or written, because its disk is failing (${said}): see the system's log, and restore a backup on another disk`,
  damaged: (path, said) =>
    `is damaged (${said}): keep the file, see what is wrong with fieldroster doctor --data ${dirname(path)}, and restore a backup into an empty folder with fieldroster restore`,
  unfinished: (path, said) =>
    `cannot be read (${said}), because ${path}-journal holds an unfinished change: start the server, which undoes it`,
  full: (_, said) => `has no room left on its disk (${said}): make room, and try again`,
  unopened: (path, said) => {
    if (isReadOnlyDisk(path)) return explanations.readOnlyDisk(path, said);
    if (openFilesAreSpent(dirname(path))) return explanations.openFiles(path, said);
    return `cannot be opened (${said}): check that it is a file; ${ownership(path)}`;
  },
  openFiles: (_, said) => `cannot be opened (${said}), ${limits.openFiles()}`,
  fileSize: (_, said) => `cannot grow (${said}), ${limits.fileSize()}`,
};

/** Limits of this process, and what to do about them. */
const limits = {
  openFiles: () => `because this process may open no more files: ${cures.openFiles}, and try again`,
  fileSize: () =>
    `because this process may make no file larger than ${fileBytesMax() ?? 'a few'} bytes: ${cures.fileSize}, and try again; if no file in its folder is that large, the disk fails: see the system's log`,
};

/** How to raise a limit of the process. */
const cures = {
  openFiles: raiseOpenFiles,
  fileSize: 'raise the limit of file sizes (LimitFSIZE, ulimit -f)',
};

/**
 * Turns an error of the database's file into a `DatabaseFileError` that names the file and says what to do. SQLite's
 * own message does neither. Returns other errors unchanged.
 */
export function toFileError(error: unknown, path: string): unknown {
  const found = findFault(error);
  if (found === undefined) return error;
  const { fault, said } = found;
  return new DatabaseFileError(`the database ${path} ${explanations[fault](path, said)}`, { cause: error });
}

/** Returns what SQLite or the system says about a full disk, or `undefined` for another error. */
export function saidOfFullDisk(error: unknown): string | undefined {
  const found = findFault(error);
  return found?.fault === 'full' ? found.said : undefined;
}

/** Says which limit of this process an error comes from, and what to do; `undefined` for another error. */
export function explainLimit(error: unknown, folder: string): string | undefined {
  const { fault, said } = findFault(error) ?? {};
  if (fault === 'fileSize') return `cannot grow (${said}), ${limits.fileSize()}`;
  return isOfOpenFiles(error, folder) ? `cannot be opened (${said}), ${limits.openFiles()}` : undefined;
}

/** Returns whether a file could not be opened because this process may open no more files. */
export function isOfOpenFiles(error: unknown, folder: string): boolean {
  const fault = findFault(error)?.fault;
  return fault === 'openFiles' || (fault === 'unopened' && openFilesAreSpent(folder));
}

/** Says what lets a server write to its file again, where a restart follows. */
export function cureOfFile(error: unknown, path: string): string {
  const fault = findFault(error)?.fault;
  if (fault === 'full') return 'make room';
  if (fault === 'fileSize') return cures.fileSize;
  if (fault === 'closed' || fault === 'readOnly') return ownership(path);
  return `make ${dirname(path)} writable`;
}

function findFault(error: unknown): { readonly fault: Fault; readonly said: string } | undefined {
  for (const cause of causesOf(error)) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const fault = faultOfStatement(cause) ?? systemFaults[code];
    if (fault !== undefined) return { fault, said: legible(cause.message) };
  }
  return undefined;
}

function faultOfStatement(error: unknown): Fault | undefined {
  if (needsRollback(error)) return 'unfinished';
  // SQLite does not pass on why the system refused.
  if (isRefusedGrowth(error) && fileBytesMax() !== undefined) return 'fileSize';
  return sqliteFaults[primaryCodeOf(error)];
}

/** SQLite says no more than that it cannot make the files beside the database. */
function isReadOnlyDisk(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function ownership(path: string): string {
  const user = process.getuid?.();
  const folder = dirname(path);
  if (user === undefined)
    return `the user that runs this needs the right to change ${folder} and the files in it`;
  const closed = closedFolderAbove(folder);
  if (closed !== undefined)
    return `the user that runs this (id ${user}) may not enter ${closed}, which the folder ${folder} is in: run this as root`;
  const rule = `the user that runs this (id ${user}) must own the folder ${folder}, with mode 700, and the files in it, with mode 600; change their owner and modes`;
  const owner = [path, folder].map(ownerOf).find((other) => other !== undefined && other !== user);
  return owner === undefined ? rule : `${rule}, or run this as their owner (id ${owner})`;
}

/** Returns `undefined` for a file that is missing, or where this user may not even look. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}
