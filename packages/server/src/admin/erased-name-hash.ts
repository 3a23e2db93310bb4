import type { SecretVault } from '../applications/secret-vault.ts';

/**
 * Returns the hash by which an erasure shows whether a name was erased. Its key belongs to one directory, and a rotation
 * of the master key does not change it.
 */
export function erasedNameHash(
  vault: Pick<SecretVault, 'keyedHash'>,
  tenantId: bigint,
  username: string,
): string {
  // Usernames contain no line feed.
  return vault.keyedHash(`erased\n${tenantId}\n${username}`);
}
