import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { describeStoreCode } from '../directory/store-codes.ts';
import { requireStore, storeFields } from '../directory/stores.ts';
import { boundUsersMax, tooManyBound } from '../directory/too-many-bound.ts';
import type { Handler } from './handler.ts';

export const deleteStore: Handler<Operations['deleteStore']> = async (
  { code, force = false, if_revision },
  { directory, refuse, writeMany },
) => {
  const rows = force ? await directory.stores.countUsers(code, boundUsersMax) : 0;
  return writeMany(rows, async ({ stores }, requireTimeFor) => {
    const requireFewUsers = async () => {
      const users = await stores.countUsers(code, boundUsersMax);
      const moveRest = 'take it from the rest first';
      const problem = tooManyBound({ name: `store ${describeStoreCode(code)}`, moveRest, users, force });
      if (problem !== undefined) throw refuse(1403, problem);
      return users;
    };
    // Very many users are not locked only for the removal to be refused.
    if (force) requireTimeFor(await requireFewUsers());
    const store = requireStore(await stores.lockToRemove(code, force), code, refuse);
    requireRevision(store.revision, if_revision, refuse);
    requireTimeFor(await requireFewUsers());
    const unbound = await stores.unbindUsers(code);
    await stores.remove(code);
    return {
      result: undefined,
      changes: { code, ...storeFields.describeRemoved(store), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { stores: { removed: [code] } } })),
    };
  });
};
