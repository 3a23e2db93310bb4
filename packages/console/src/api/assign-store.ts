import { limits } from '@fieldroster/contract/limits';
import { callDirectory } from './call.ts';
import { cursorOf } from './directory-lists.ts';
import { type Id, sameId } from './wire.ts';

interface User {
  readonly id: Id;
  readonly username: string;
}

/**
 * Assigns a store to a user. Returns false if the user had it already. `bind-user-store` succeeds then too, and undoing
 * it would remove the older assignment.
 */
export async function assignStore(tenant: Id, { id, username }: User, code: string): Promise<boolean> {
  if (await hasStore(tenant, { id, username }, code)) return false;
  await callDirectory('bindUserStore', tenant, { user_id: id, store_code: code });
  return true;
}

/** Many may look after a store, and the server looks at some of them for each page. */
async function hasStore(tenant: Id, { id, username }: User, code: string): Promise<boolean> {
  const ofStore = { store_code: code, search: username, limit: limits.pageEntriesMax };
  let cursor = '';
  do {
    const page = await callDirectory('listUsers', tenant, { ...ofStore, ...cursorOf(cursor) });
    if (page.users.some((user) => sameId(user.id, id))) return true;
    cursor = page.next_cursor;
  } while (cursor !== '');
  return false;
}
