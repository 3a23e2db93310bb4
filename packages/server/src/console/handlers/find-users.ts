import { type ConsoleOperations, consoleLimits } from '@fieldroster/contract/console';
import { presentListedUser, presentUser } from '../../directory/present-user.ts';
import { readUserPage } from '../../operations/list-users.ts';
import type { ConsoleHandler } from '../console-context.ts';

/** Lists users for the page of users, with how many stores each has. */
export const findUsers: ConsoleHandler<ConsoleOperations['findUsers']> = async (
  input,
  { parts, tenantId, refuse },
) => {
  const directory = parts.database.directory(tenantId);
  const { entries, next_cursor } = await readUserPage(input, directory, refuse);
  const ids = entries.map(({ id }) => id);
  const stores = await directory.lists.countStoresOf(ids, consoleLimits.countedStoresMax);
  const users = entries.map((user) => ({
    ...presentListedUser(user),
    store_count: stores.get(user.id) ?? 0,
  }));
  return { users, next_cursor };
};

export const queryUserDetails: ConsoleHandler<ConsoleOperations['queryUserDetails']> = async (
  { user_id },
  { parts, tenantId, refuse },
) => {
  const user = await parts.database.directory(tenantId).findUser({ id: user_id });
  if (user === undefined) throw refuse(1101, `no user has id ${user_id}`);
  return { ...presentUser(user), status: user.status, revision: user.revision };
};
