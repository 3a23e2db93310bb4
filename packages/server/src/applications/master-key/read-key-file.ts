import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { closedFolderAbove } from '../../machine/closed-folder-above.ts';
import { O_NONBLOCK } from '../../machine/open-flags.ts';
import { decodeMasterKey } from './decode-master-key.ts';
import { MasterKeyError } from './master-key-error.ts';

export function readKeyFile(path: string, repair?: string): Uint8Array | undefined {
  try {
    return decodeMasterKey(readText(path), `the key file ${path}`, repair);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const fault = keyFileFaults[code ?? '']?.(path);
    if (fault === undefined) throw error;
    throw new MasterKeyError(`the key file ${path} ${fault}`, { cause: error });
  }
}

/** @throws {MasterKeyError} for anything but a file: reading a pipe again would wait for ever, and stop the server */
function readText(path: string): string {
  // Opening a pipe would wait for ever without O_NONBLOCK.
  const descriptor = openSync(path, constants.O_RDONLY | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    // A folder fails with the system's error, which has a message of its own.
    if (!found.isFile() && !found.isDirectory())
      throw new MasterKeyError(
        `the key file ${path} is a pipe or a device, and a server reads the key more than once: put the key into a file`,
      );
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
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
