import type { ApplicationSecretRecord } from '../database/database.ts';

/** A secret with its last use by any process, as far as it is known. */
type UsedSecret = Pick<ApplicationSecretRecord, 'createdAtMs' | 'expiresAtMs' | 'lastUsedAtMs'>;

/**
 * Returns when the secrets of an application expire whose end its caller would notice: those that have not expired, and
 * that no newer secret has replaced.
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
 * the time since the rotation. That time grows with the rotation, because a nightly job within a rotation of a day, or a
 * weekly one within a month, needs the old secret until it has the new one.
 */
function hasReplaced(newer: UsedSecret, old: UsedSecret, nowMs: number): boolean {
  if (newer.lastUsedAtMs === undefined) return false;
  return (old.lastUsedAtMs ?? 0) < (newer.createdAtMs + nowMs) / 2;
}
