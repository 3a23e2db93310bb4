import type { Operations } from '@fieldroster/contract';
import { requireUser } from '../directory/user-identity.ts';
import type { HandlerOfLongList } from './handler.ts';
import { LongList } from './long-list.ts';

export const queryUserStores: HandlerOfLongList<Operations['queryUserStores']> = async (
  { user_id },
  { directory, refuse },
) => {
  await requireUser(directory, user_id, refuse);
  const stores = await directory.listFewStoresOfUser(user_id);
  // The user may have been deleted after the look-up, and with it the bindings. An id is never used again.
  if (stores?.length === 0) await requireUser(directory, user_id, refuse);
  if (stores !== undefined) return { stores };
  return new LongList({ stores: [] }, async () => {
    const opened = await directory.openStoresOfUser(user_id);
    if (opened.count === 0) await requireUser(directory, user_id, refuse);
    return opened;
  });
};
