import { limits, type Operations } from '@fieldroster/contract';
import { storesNotFound, tooManyStores } from '../directory/store-codes.ts';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const bindUserStore: Handler<Operations['bindUserStore']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const { user_id, store_code } = input;
    const [user, store] = await Promise.all([
      lockUser(directory, { id: user_id }, refuse),
      directory.readStoreBinding(user_id, store_code),
    ]);
    if (!store.exists) throw refuse(1401, storesNotFound([store_code]));
    if (store.bound) return { result: undefined, userId: user.id, changes: {} };
    if (store.isFull) throw tooManyStores(`user ${user_id}`, limits.storeCodesMax + 1);
    await directory.insertUserStore(user.id, store_code);
    return { result: undefined, userId: user.id, changes: { stores: { added: [store_code] } } };
  });
