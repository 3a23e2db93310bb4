import type { ApiError } from '../errors/api-error.ts';

/**
 * Throws 1017 when the caller's revision is not the current one. Must be called in the transaction that makes the
 * change, after locking the object.
 *
 * @param current 0 for a user that does not exist yet
 */
export function requireRevision(
  current: bigint,
  ifRevision: bigint | undefined,
  refuse: (code: 1017, message: string) => ApiError,
): void {
  if (ifRevision === undefined || ifRevision === current) return;
  const now =
    current === 0n
      ? 'the user does not exist; leave if_revision out, or send 0, to create it'
      : `the revision is now ${current}; read it again`;
  throw refuse(1017, `if_revision is ${ifRevision}, and ${now}`);
}
