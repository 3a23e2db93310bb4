import { callDirectory } from './call.ts';
import type { Id } from './wire.ts';

/**
 * Assigns a store to a user. Returns false if the user had it already. `bind-user-store` succeeds then too, and undoing
 * it would remove the older assignment.
 */
export async function assignStore(tenant: Id, userId: Id, code: string): Promise<boolean> {
  const { stores } = await callDirectory('queryUserStores', tenant, { user_id: userId });
  if (stores.some((store) => store.code === code)) return false;
  await callDirectory('bindUserStore', tenant, { user_id: userId, store_code: code });
  return true;
}
