import type { Operations } from '@fieldroster/contract';
import { requireRevision } from '../directory/revision.ts';
import { describeStoreCode } from '../directory/store-codes.ts';
import { requireStore, storeFields } from '../directory/stores.ts';
import { tooManyBound } from '../directory/too-many-bound.ts';
import type { Handler } from './handler.ts';

export const deleteStore: Handler<Operations['deleteStore']> = (
  { code, force = false, if_revision },
  { refuse, write },
) =>
  write(async ({ stores }) => {
    const store = requireStore(await stores.lockToRemove(code, force), code, refuse);
    requireRevision(store.revision, if_revision, refuse);
    const users = await stores.countUsers(code);
    const problem = tooManyBound(`store ${describeStoreCode(code)}`, users, force);
    if (problem !== undefined) throw refuse(1403, problem);
    const unbound = await stores.unbindUsers(code);
    await stores.remove(code);
    return {
      result: undefined,
      changes: { code, ...storeFields.describeRemoved(store), users_unbound: unbound.length },
      more: unbound.map((userId) => ({ userId, changes: { stores: { removed: [code] } } })),
    };
  });
