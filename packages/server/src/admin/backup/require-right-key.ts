import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findMasterKey, findPreviousKey } from '../../applications/master-key/find-master-key.ts';
import { masterKeyFile } from '../../applications/master-key/key-places.ts';
import { MasterKeyError } from '../../applications/master-key/master-key-error.ts';
import { SecretVault } from '../../applications/secret-vault.ts';
import type { CopySession } from '../../database/copy-session.ts';
import { keyIdOfProof, keyProofSettings } from '../../database/database.ts';
import { readSetting } from '../../database/queries/settings/stored-settings.ts';
import type { KeyPlace } from '../keys/key-place.ts';

/** Where a target's servers will look for their master keys. */
type TargetKeyPlace = Omit<KeyPlace, 'keyFile'>;

/** The words in the message about a wrong key that name the origin of the rows, and the work. */
export interface KeyWords {
  /** Such as "this backup was made under". */
  readonly origin: string;
  /** Such as "restored". */
  readonly done: string;
}

/**
 * Opens the vault that the target's servers will open.
 *
 * @param proof of the key that the rows were written under
 * @returns absent if there is no key
 * @throws {MasterKeyError} when there is another one
 */
export function openRightKey(
  { folder, environment }: TargetKeyPlace,
  proof: string | undefined,
  { origin, done }: KeyWords,
): SecretVault | undefined {
  const key = findMasterKey(folder, environment);
  if (key === undefined) return undefined;
  // During a rotation, or for rows from before it, the right key is the previous one, which a server accepts too.
  const previous = findPreviousKey(folder, environment);
  const vault = new SecretVault(key, ...(previous === undefined ? [] : [previous]));
  if (proof === undefined || vault.sealWith(proof)) return vault;
  throw new MasterKeyError(
    `the master key in ${folder} or FIELDROSTER_MASTER_KEY is not the one that ${origin} (its key id ` +
      `is ${keyIdOfProof(proof)}, and that of the given key ${vault.keyIds.join(', ')}); nothing was ${done}: replace ` +
      'it with that key, or remove it and add the right one before the first start',
  );
}

/**
 * Refuses to copy into a folder with another master key than the source's: it would open none of the secrets that
 * arrive. Without a key file in the folder, a key in the environment may be that of other servers.
 *
 * @throws {MasterKeyError}
 */
export async function requireKeyOfSource({ session }: CopySession, place: TargetKeyPlace): Promise<void> {
  if (!existsSync(join(place.folder, masterKeyFile))) return;
  const proof = await readSetting(session, keyProofSettings.current);
  openRightKey(place, proof, { origin: 'the source was written under', done: 'copied' });
}
