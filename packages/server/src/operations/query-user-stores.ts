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
  if (stores !== undefined) return { stores };
  return new LongList({ stores: [] }, () => directory.openStoresOfUser(user_id));
};
