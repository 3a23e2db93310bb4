import type { Operations } from '@fieldroster/contract';
import { describeStoreCode } from '../directory/store-codes.ts';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const unbindUserStore: Handler<Operations['unbindUserStore']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const user = await lockUser(directory, { id: input.user_id }, refuse);
    if (!(await directory.deleteUserStore(user.id, input.store_code))) {
      throw refuse(1402, `user ${user.id} is not bound to store ${describeStoreCode(input.store_code)}`);
    }
    return { result: undefined, userId: user.id, changes: { stores: { removed: [input.store_code] } } };
  });
