import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { closedFolderAbove } from '../../machine/closed-folder-above.ts';
import { decodeMasterKey } from './decode-master-key.ts';
import { MasterKeyError } from './master-key-error.ts';

export function readKeyFile(path: string, repair?: string): Uint8Array | undefined {
  try {
    return decodeMasterKey(readFileSync(path, 'utf8'), `the key file ${path}`, repair);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const fault = keyFileFaults[code ?? '']?.(path);
    if (fault === undefined) throw error;
    throw new MasterKeyError(`the key file ${path} ${fault}`, { cause: error });
  }
}

/** Why a key file cannot be read and what to do, by the system's error code. */
const keyFileFaults: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => {
    const closed = closedFolderAbove(dirname(path));
    return closed === undefined
      ? 'may not be read by this user: change the owner of the file and of its folder, or run this as their owner'
      : `may not be read by this user, who may not enter ${closed}: run this as root`;
  },
  EISDIR: () =>
    'is a folder, which container engines make where a mounted file is missing: remove it, and put the key file there',
};
