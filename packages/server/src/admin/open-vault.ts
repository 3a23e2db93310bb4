import { join } from 'node:path';
import { findMasterKey, findPreviousKey } from '../applications/master-key/find-master-key.ts';
import { masterKeyFile, masterKeyVariable } from '../applications/master-key/key-places.ts';
import { makeMasterKey } from '../applications/master-key/make-master-key.ts';
import { MasterKeyError } from '../applications/master-key/master-key-error.ts';
import { SecretVault, UnknownKeyError } from '../applications/secret-vault.ts';
import { type Database, hashKeySetting, keyIdOfProof, keyProofSettings } from '../database/database.ts';

/** Binds the sealed key of keyed hashes to its place. No APPID contains a line feed. */
export const hashKeyContext = `setting\n${hashKeySetting}`;

/**
 * Opens the vault and checks the keys against the stored proof. Without the proof, a wrong key would only show when
 * requests begin to fail.
 *
 * @throws {MasterKeyError} when the database was written under a different or missing master key
 */
export async function openVault(
  database: Database,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<SecretVault> {
  const known = (await database.keys.stored()).current;
  // Read after the proof: a process that starts at the same time makes the key before the proof.
  const key = findMasterKey(folder, environment);
  // A new key could not open the secrets, and could be mistaken for the lost one.
  if (key === undefined && known !== undefined) throw missingKey(folder);
  const previous = findPreviousKey(folder, environment);
  const vault = new SecretVault(key ?? makeMasterKey(folder), ...(previous === undefined ? [] : [previous]));
  const proof = known ?? (await database.storedSettings.keep(keyProofSettings.current, vault.proofOfKey()));
  if (!vault.sealWith(proof)) throw wrongKey(vault, proof);
  await useStoredHashKey(database, vault);
  return vault;
}

/** Hashes outlive the master key: counts of wrong passwords and hashes in logs stay comparable after a rotation. */
async function useStoredHashKey({ storedSettings }: Database, vault: SecretVault): Promise<void> {
  const seal = () => vault.seal(hashKeyContext, vault.deriveHashKey().toString('base64'));
  const stored =
    (await storedSettings.read(hashKeySetting)) ??
    (await storedSettings.keep(hashKeySetting, Buffer.from(seal()).toString('base64')));
  // A damaged value must not keep the server from starting; the doctor reports it. Counts begin again.
  openHashKey(vault, stored);
}

/**
 * Lets a vault hash as the processes on a database do, if it can.
 *
 * @param stored the setting; a database without it will keep the key that the vault derives
 * @returns whether it can
 */
export function useHashKey(vault: SecretVault, stored: string | undefined): boolean {
  if (stored === undefined) return true;
  try {
    return openHashKey(vault, stored);
  } catch (error) {
    if (error instanceof UnknownKeyError) return false;
    throw error;
  }
}

/**
 * @returns false if the value is damaged
 * @throws {UnknownKeyError} when it is sealed under a key that the vault does not hold
 */
function openHashKey(vault: SecretVault, stored: string): boolean {
  try {
    const opened = vault.open(hashKeyContext, Buffer.from(stored, 'base64'));
    vault.hashWith(Buffer.from(opened, 'base64'));
    return true;
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return false;
  }
}

function missingKey(folder: string): MasterKeyError {
  return new MasterKeyError(
    `the master key that this database was written with is missing: there is no file ${join(folder, masterKeyFile)}, ` +
      `and ${masterKeyVariable} is not set; restore one of them, or, if it is lost for good, see docs/keys.md`,
  );
}

function wrongKey(vault: SecretVault, proof: string): MasterKeyError {
  return new MasterKeyError(
    'the master key is not the one that this database was written with; restore the key file or the environment ' +
      `variable FIELDROSTER_MASTER_KEY of that time (its key id is ${keyIdOfProof(proof)}, and that of the given key ` +
      `${vault.keyIds.join(', ')}); if it is lost for good, see docs/keys.md`,
  );
}
