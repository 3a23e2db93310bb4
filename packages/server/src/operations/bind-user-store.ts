import type { Operations } from '@fieldroster/contract';
import { storesNotFound } from '../directory/store-codes.ts';
import { lockUser } from '../directory/user-identity.ts';
import type { Handler } from './handler.ts';

export const bindUserStore: Handler<Operations['bindUserStore']> = (input, { refuse, write }) =>
  write(async (directory) => {
    const [user, unknown] = await Promise.all([
      lockUser(directory, { id: input.user_id }, refuse),
      directory.listUnknownStoreCodes([input.store_code]),
    ]);
    if (unknown.length > 0) throw refuse(1401, storesNotFound(unknown));
    const added = await directory.insertUserStore(user.id, input.store_code);
    return {
      result: undefined,
      userId: user.id,
      changes: added ? { stores: { added: [input.store_code] } } : {},
    };
  });
