import type { ApiError } from '../api-error.ts';

/**
 * Throws 1017 when the caller decided on a revision that is not the one of now. To be called inside the
 * transaction that makes the change, once the thing is locked.
 *
 * @param current 0 for what does not exist yet
 */
export function requireRevision(
  current: bigint,
  ifRevision: bigint | undefined,
  refuse: (code: 1017, message: string) => ApiError,
): void {
  if (ifRevision === undefined || ifRevision === current) return;
  throw refuse(1017, `if_revision is ${ifRevision}, and the revision is ${current} by now; read it again`);
}
