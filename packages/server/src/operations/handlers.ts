import type { OperationKey, Operations } from '@fieldroster/contract';
import { batchUpdateUserStores } from './batch-update-user-stores.ts';
import { bindUserOrg } from './bind-user-org.ts';
import { bindUserRole } from './bind-user-role.ts';
import { bindUserStore } from './bind-user-store.ts';
import { createUser } from './create-user.ts';
import type { Handler } from './handler.ts';
import { queryUser } from './query-user.ts';
import { queryUserRole } from './query-user-role.ts';
import { queryUserStores } from './query-user-stores.ts';
import { unbindUserOrg } from './unbind-user-org.ts';
import { unbindUserRole } from './unbind-user-role.ts';
import { unbindUserStore } from './unbind-user-store.ts';
import { updateUser } from './update-user.ts';

/** The handler of every operation of the contract; the compiler finds a missing one. */
export const handlers: { readonly [Key in OperationKey]: Handler<Operations[Key]> } = {
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
};
