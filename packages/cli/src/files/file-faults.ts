import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { UsageError } from '../run-program.ts';

const notThere = 'does not exist; put it there or correct the path';
const folder = 'is a folder; name the file in it';

/** Why a file cannot be read and what to do, by the system's error code. */
const faults: Readonly<Record<string, string>> = {
  ENOENT: notThere,
  ENOTDIR: notThere,
  EACCES: 'this user may not read; change its owner or its mode',
  EISDIR: folder,
  EFBIG: 'is larger than 1 MiB; correct the path',
};

/** Says why a file cannot be read and what to do, as the end of a sentence about the file. */
export function whyUnreadable(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return faults[code] ?? `cannot be read (${code || 'unknown error'})`;
}

/**
 * Checks the file of an import before anything else is done for it.
 *
 * @throws {UsageError} unless it is there, is no folder and may be read by this user
 */
export function requireReadable(path: string): Stats {
  const found = statReadable(path);
  if (found.isDirectory()) throw new UsageError(`FILE is ${path}, which ${folder}`);
  return found;
}

function statReadable(path: string): Stats {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path);
  } catch (error) {
    throw new UsageError(`FILE is ${path}, which ${whyUnreadable(error)}`, { cause: error });
  }
}

const readByOthers = 0o004;

/** Returns whether any user of the machine may read a file with this mode. */
export function readableByAnyone(mode: number): boolean {
  return (mode & readByOthers) !== 0;
}
