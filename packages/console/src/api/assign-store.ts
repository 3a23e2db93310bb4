import { limits } from '@fieldroster/contract/limits';
import { callDirectory } from './call.ts';
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
  const ofStore = { store_code: code, search: username, limit: limits.pageEntriesMax };
  const { users } = await callDirectory('listUsers', tenant, ofStore);
  if (users.some((user) => sameId(user.id, id))) return false;
  await callDirectory('bindUserStore', tenant, { user_id: id, store_code: code });
  return true;
}
