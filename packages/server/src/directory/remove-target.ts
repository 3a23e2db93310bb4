import type { TargetWriter } from '../database/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import { requireRevision } from './revision.ts';
import { boundUsersMax } from './too-many-bound.ts';

interface Removal<Target, Code extends number> {
  /** Whether the caller wants the users unbound. */
  readonly force: boolean;
  readonly ifRevision: bigint | undefined;
  /** Locks the target, or throws if there is none. */
  readonly lock: () => Promise<Target>;
  /** Returns why it cannot be removed while that many users are bound to it; `undefined` if it can. */
  readonly problemWith: (users: number) => string | undefined | Promise<string | undefined>;
  /** The code of that problem. */
  readonly code: Code;
  readonly refuse: (code: Code | 1017, message: string) => ApiError;
  /** Requires time for the users that the removal unbinds; see `WriteContext.writeMany`. */
  readonly requireTimeFor: (rows: number) => void;
}

/** Removes a role, an organization or a store, and unbinds its users. Must be called in a transaction. */
export async function removeTarget<Key, Target extends { readonly revision: bigint }, Code extends number>(
  targets: Pick<TargetWriter<Key, Target, unknown>, 'countUsers' | 'unbindUsers' | 'remove'>,
  key: Key,
  { force, ifRevision, lock, problemWith, code, refuse, requireTimeFor }: Removal<Target, Code>,
): Promise<{ readonly removed: Target; readonly unbound: readonly bigint[] }> {
  const countRemovable = async () => {
    const users = await targets.countUsers(key, boundUsersMax);
    const problem = await problemWith(users);
    if (problem !== undefined) throw refuse(code, problem);
    return users;
  };
  // Very many users are not locked only for the removal to be refused.
  if (force) requireTimeFor(await countRemovable());
  const removed = await lock();
  requireRevision(removed.revision, ifRevision, refuse);
  requireTimeFor(await countRemovable());
  const unbound = await targets.unbindUsers(key);
  await targets.remove(key);
  return { removed, unbound };
}
