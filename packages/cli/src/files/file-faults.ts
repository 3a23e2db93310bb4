const notThere = 'does not exist; put it there or correct the path';

/** Why a file cannot be read and what to do, by the system's error code. */
const faults: Readonly<Record<string, string>> = {
  ENOENT: notThere,
  ENOTDIR: notThere,
  EACCES: 'this user may not read; change its owner or its mode',
  EISDIR: 'is a folder; name the file in it',
};

/** Says why a file cannot be read and what to do, as the end of a sentence about the file. */
export function whyUnreadable(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return faults[code] ?? `cannot be read (${code || 'unknown error'})`;
}

const readByOthers = 0o004;

/** Returns whether every user of the machine may read a file with this mode. */
export function readableByAnyone(mode: number): boolean {
  return (mode & readByOthers) !== 0;
}
