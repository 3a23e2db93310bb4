import type { SecretVault } from '../applications/secret-vault.ts';

/**
 * Returns the hash that an erasure records in place of the erased name. Each directory has its own key for these hashes.
 * Rotating the master key keeps them valid.
 */
export function erasedNameHash(
  vault: Pick<SecretVault, 'keyedHash'>,
  tenantId: bigint,
  username: string,
): string {
  // Usernames contain no line feed.
  return vault.keyedHash(`erased\n${tenantId}\n${username}`);
}
