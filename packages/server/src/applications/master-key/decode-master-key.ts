import { masterKeyBytes } from '../held-key.ts';
import { masterKeyVariable, previousKeyVariable } from './key-places.ts';
import { MasterKeyError } from './master-key-error.ts';

const restoreMasterKey =
  'restore it from where its copy is kept, because no other key opens the secrets of the database; only for a ' +
  'directory without applications and operators, make a new one with: openssl rand -base64 32';

/** Advice about an invalid key, by the variable of its kind. A previous key is needed only during a rotation. */
export const repairs: Readonly<Record<string, string>> = {
  [masterKeyVariable]: restoreMasterKey,
  [previousKeyVariable]:
    'restore it from where its copy is kept, or remove it and run fieldroster key check, which says whether a secret ' +
    'still needs it',
};

export function decodeMasterKey(text: string, source: string, repair = restoreMasterKey): Uint8Array {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, hexadecimal.test(trimmed) ? 'hex' : 'base64');
  if (key.length !== masterKeyBytes || !isEncodingOf(key, trimmed)) {
    throw new MasterKeyError(
      `${source} must contain ${masterKeyBytes} bytes in Base64 or ${masterKeyBytes * 2} hexadecimal digits; ${repair}`,
    );
  }
  return key;
}

const hexadecimal = /^[0-9a-f]{64}$/i;

/**
 * Returns whether the text encodes exactly this key. The decoder skips characters that are not Base64, so without this
 * check a passphrase would pass as a weak key.
 */
function isEncodingOf(key: Buffer, text: string): boolean {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return hexadecimal.test(text) || key.toString('base64').replace(/=+$/, '') === base64;
}
