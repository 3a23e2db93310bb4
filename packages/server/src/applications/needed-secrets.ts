import type { ApplicationSecretRecord } from '../database/database.ts';

/** A secret with its last use by any process, as far as it is known. */
type UsedSecret = Pick<ApplicationSecretRecord, 'createdAtMs' | 'expiresAtMs' | 'lastUsedAtMs'>;

/**
 * Returns when those secrets expire that a caller may still need: they have not expired, and no newer one has replaced
 * them.
 *
 * @param secrets oldest first
 */
export function endsOfNeededSecrets(secrets: readonly UsedSecret[], nowMs: number): number[] {
  return secrets.flatMap((secret, index) => {
    const { expiresAtMs } = secret;
    if (expiresAtMs === undefined || expiresAtMs <= nowMs) return [];
    return secrets.slice(index + 1).some((newer) => hasReplaced(newer, secret, nowMs)) ? [] : [expiresAtMs];
  });
}

/**
 * Returns whether the caller has changed to the newer secret: the new one was used, and the old one was not for half of
 * the time since the rotation. Half, because a nightly job in a rotation of a day, or a weekly one in a rotation of a
 * month, may use the old secret until its next run.
 */
function hasReplaced(newer: UsedSecret, old: UsedSecret, nowMs: number): boolean {
  if (newer.lastUsedAtMs === undefined) return false;
  return (old.lastUsedAtMs ?? 0) < (newer.createdAtMs + nowMs) / 2;
}
