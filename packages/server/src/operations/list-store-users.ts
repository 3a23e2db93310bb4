import type { Operations } from '@fieldroster/contract';
import { requireStore } from '../directory/stores.ts';
import type { Handler } from './handler.ts';
import { readPageById } from './read-page.ts';

export const listStoreUsers: Handler<Operations['listStoreUsers']> = async (input, { directory, refuse }) => {
  const { stores } = directory;
  const { code } = requireStore(await stores.find(input.store_code), input.store_code, refuse);
  const page = await readPageById('list-store-users', input, (after, limit) =>
    stores.listUsers(code, after, limit),
  );
  // A removal after the look-up would look like a store without users.
  if (page.entries.length === 0) requireStore(await stores.find(code), code, refuse);
  const users = page.entries.map(({ id, username, realName, phone, status }) => ({
    id,
    username,
    real_name: realName,
    phone,
    status,
  }));
  return { users, next_cursor: page.next_cursor };
};
