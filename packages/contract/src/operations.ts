import { batchUpdateUserStores } from './operations/batch-update-user-stores.ts';
import { bindUserOrg } from './operations/bind-user-org.ts';
import { bindUserRole } from './operations/bind-user-role.ts';
import { bindUserStore } from './operations/bind-user-store.ts';
import { createUser } from './operations/create-user.ts';
import { queryUser } from './operations/query-user.ts';
import { queryUserRole } from './operations/query-user-role.ts';
import { queryUserStores } from './operations/query-user-stores.ts';
import { unbindUserOrg } from './operations/unbind-user-org.ts';
import { unbindUserRole } from './operations/unbind-user-role.ts';
import { unbindUserStore } from './operations/unbind-user-store.ts';
import { updateUser } from './operations/update-user.ts';

/** Every operation, in the order of the interface's list. */
export const operations = {
  createUser,
  queryUser,
  updateUser,
  bindUserRole,
  queryUserRole,
  unbindUserRole,
  bindUserOrg,
  unbindUserOrg,
  bindUserStore,
  unbindUserStore,
  queryUserStores,
  batchUpdateUserStores,
} as const;

export type Operations = typeof operations;

/** Name of an operation in code; `name` is the same in kebab-case. */
export type OperationKey = keyof Operations;
