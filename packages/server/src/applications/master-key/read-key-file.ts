import { readFileSync } from 'node:fs';
import { decodeMasterKey } from './decode-master-key.ts';
import { MasterKeyError } from './master-key-error.ts';

export function readKeyFile(path: string, repair?: string): Uint8Array | undefined {
  try {
    return decodeMasterKey(readFileSync(path, 'utf8'), `the key file ${path}`, repair);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const fault = keyFileFaults[code ?? ''];
    if (fault === undefined) throw error;
    throw new MasterKeyError(`the key file ${path} ${fault}`, { cause: error });
  }
}

/** Why a key file cannot be read and what to do, by the system's error code. */
const keyFileFaults: Readonly<Record<string, string>> = {
  EACCES:
    'may not be read by this user: change the owner of the file and of its folder, or run this as their owner',
  EISDIR:
    'is a folder, which container engines make where a mounted file is missing: remove it, and put the key file there',
};
