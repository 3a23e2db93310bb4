import type { ApplicationSecretRecord } from '../database/database.ts';

/** A secret with its last use by any process, as far as it is known. */
type UsedSecret = Pick<ApplicationSecretRecord, 'createdAtMs' | 'expiresAtMs' | 'lastUsedAtMs'>;

/**
 * Returns when those secrets expire that a caller may still need: they have not expired, no newer one has replaced them,
 * and the owner has had half of the time to change.
 *
 * @param secrets oldest first
 */
export function endsOfNeededSecrets(secrets: readonly UsedSecret[], nowMs: number): number[] {
  return secrets.flatMap((secret, index) => {
    const { expiresAtMs } = secret;
    if (expiresAtMs === undefined || expiresAtMs <= nowMs) return [];
    if (isNewRotation(expiresAtMs, secrets[index + 1], nowMs)) return [];
    return secrets.slice(index + 1).some((newer) => hasReplaced(newer, secret, nowMs)) ? [] : [expiresAtMs];
  });
}

/**
 * Returns whether the first half of a rotation's time is not over. An ordinary rotation would otherwise open a ticket at
 * once, because its old secret ends after a day and nobody has used the new one yet.
 */
function isNewRotation(oldExpiresAtMs: number, next: UsedSecret | undefined, nowMs: number): boolean {
  return next !== undefined && nowMs < (next.createdAtMs + oldExpiresAtMs) / 2;
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
