import type { Operations } from '@fieldroster/contract';
import { removeTarget } from '../directory/remove-target.ts';
import { describeStoreCode } from '../directory/store-codes.ts';
import { requireStore, storeFields } from '../directory/stores.ts';
import { boundUsersMax, tooManyBound } from '../directory/too-many-bound.ts';
import type { Handler } from './handler.ts';

export const deleteStore: Handler<Operations['deleteStore']> = async (
  { code, force = false, if_revision: ifRevision },
  { directory, refuse, writeMany },
) => {
  const rows = force ? await directory.stores.countUsers(code, boundUsersMax) : 0;
  return writeMany(rows, async ({ stores }, requireTimeFor) => {
    const name = `store ${describeStoreCode(code)}`;
    const moveRest = 'take it from the rest first';
    const { removed, unbound } = await removeTarget(stores, code, {
      force,
      ifRevision,
      lock: async () => requireStore(await stores.lockToRemove(code, force), code, refuse),
      problemWith: (users) => tooManyBound({ name, moveRest, users, force }),
      code: 1403,
      refuse,
      requireTimeFor,
    });
    return {
      result: undefined,
      changes: { code, ...storeFields.describeRemoved(removed), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { stores: { removed: [code] } } })),
    };
  });
};
