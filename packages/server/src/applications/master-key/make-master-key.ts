import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, linkSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveNewFile } from '../../machine/give-new-file.ts';
import { makeDataFolder } from '../../machine/make-data-folder.ts';
import { syncFolder } from '../../machine/sync-folder.ts';
import { masterKeyBytes } from '../held-key.ts';
import { masterKeyFile } from './key-places.ts';
import { MasterKeyError } from './master-key-error.ts';
import { readKeyFile } from './read-key-file.ts';
import { toUnwrittenKey } from './unwritten-key.ts';

/**
 * Makes a key file that only its owner may read. One that root makes belongs to the owner of the folder. A file made by
 * another process in the meantime is kept and read.
 */
export function makeMasterKey(folder: string): Uint8Array {
  const path = join(folder, masterKeyFile);
  makeDataFolder(folder);
  // Written aside and linked into place, so that two processes that start at once read the same complete key.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeNewKey(draft, folder);
    linkSync(draft, path);
    syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw toUnwrittenKey(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(path);
  if (key === undefined) throw new MasterKeyError(`the key file ${path} was removed as soon as it was made`);
  return key;
}

function writeNewKey(path: string, folder: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    // By its path, root could change a file that the owner of the folder has linked in its place.
    fchmodSync(descriptor, 0o600);
    giveNewFile(descriptor, folder);
    writeFileSync(descriptor, `${randomBytes(masterKeyBytes).toString('base64')}\n`, { flush: true });
  } finally {
    closeSync(descriptor);
  }
}
