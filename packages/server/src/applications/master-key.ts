import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from '../make-data-folder.ts';
import { masterKeyBytes } from './secret-vault.ts';

/** Environment variable of the master key: 32 bytes in Base64 or hexadecimal digits. */
export const masterKeyVariable = 'FIELDROSTER_MASTER_KEY';

/** Name of the key file within the data folder. */
export const masterKeyFile = 'master.key';

/** The master key is missing, unreadable or not the one that the database was written with. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** Reads the master key from the environment, else from the key file; `undefined` when there is neither. */
export function findMasterKey(folder: string, environment: NodeJS.ProcessEnv): Uint8Array | undefined {
  const given = environment[masterKeyVariable];
  if (given !== undefined && given !== '') {
    const file = environment[`${masterKeyVariable}_FILE`];
    return decodeMasterKey(
      given,
      file ? `the key file ${file}` : `the environment variable ${masterKeyVariable}`,
    );
  }
  return readKeyFile(join(folder, masterKeyFile));
}

/** Makes a key file, readable by its owner alone. What another process has made meanwhile is kept and read. */
export function makeMasterKey(folder: string): Uint8Array {
  const path = join(folder, masterKeyFile);
  makeDataFolder(folder);
  // Written aside and linked into place: of two processes that start at once, both read one whole key.
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(masterKeyBytes).toString('base64')}\n`, { mode: 0o600, flush: true });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  const key = readKeyFile(path);
  if (key === undefined) throw new MasterKeyError(`the key file ${path} was removed as soon as it was made`);
  return key;
}

function readKeyFile(path: string): Uint8Array | undefined {
  try {
    return decodeMasterKey(readFileSync(path, 'utf8'), `the key file ${path}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function decodeMasterKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, hexadecimal.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== masterKeyBytes || !isWritten(trimmed, key)) {
    throw new MasterKeyError(
      `${source} must hold ${masterKeyBytes} bytes in Base64 or ${masterKeyBytes * 2} hexadecimal digits; ` +
        'make one with: openssl rand -base64 32',
    );
  }
  return key;
}

const hexadecimal = /^[0-9a-f]{64}$/i;

/** The decoder passes over what is no Base64, so that a pass phrase would be taken for a weak key. */
function isWritten(text: string, key: Buffer): boolean {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return hexadecimal.test(text) || key.toString('base64').replace(/=+$/, '') === base64;
}
