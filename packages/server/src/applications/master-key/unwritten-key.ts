import { MasterKeyError } from './master-key-error.ts';

/** Turns the system's error while a key file was written into one that names the file and says what to do. */
export function toUnwrittenKey(error: unknown, path: string): unknown {
  const reason = unwrittenReasons[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return error;
  return new MasterKeyError(`the key file ${path} cannot be written, because ${reason}, and try again`, {
    cause: error,
  });
}

/** Why a key cannot be written into a file and what to do, by the system's error code. */
export const unwrittenReasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write it: change the owner or the mode of its folder',
  EDQUOT: 'the quota of this user is used up: make room',
  ENOSPC: 'its disk has no room left: make room',
  EPERM: 'this user may not write it: change the owner or the mode of its folder',
  EROFS: 'its file system is read-only: mount it for writing',
};
