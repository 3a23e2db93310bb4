const notThere = 'does not exist; put it there or correct the path';

/** Why a file of settings cannot be read and what to do, by the system's error code. */
export const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: notThere,
  ENOTDIR: notThere,
  EACCES: 'this user may not read; change its owner or its mode',
  EISDIR: 'is a folder; name the file in it',
};

const readByOthers = 0o004;

/** Whether every user of the machine may read a file with this mode. */
export function readableByAnyone(mode: number): boolean {
  return (mode & readByOthers) !== 0;
}
