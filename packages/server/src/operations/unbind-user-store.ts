import type { Operations } from '@fieldroster/contract';
import { describeStoreCode } from '../directory/store-codes.ts';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const unbindUserStore: Handler<Operations['unbindUserStore']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const { user_id, store_code } = input;
    const [user, store] = await Promise.all([
      lockUser(directory, { id: user_id }, refuse),
      directory.readStoreBinding(user_id, store_code),
    ]);
    if (!store.bound) {
      throw refuse(1402, `user ${user.id} is not bound to store ${describeStoreCode(store_code)}`);
    }
    await directory.deleteUserStore(user.id, store_code);
    return { result: undefined, userId: user.id, changes: { stores: { removed: [store_code] } } };
  });
