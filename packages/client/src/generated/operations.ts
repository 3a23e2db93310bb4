// Generated from the contract by scripts/generate.ts; edit the contract instead.

import { type BatchUpdateUserStores, batchUpdateUserStores } from './batch-update-user-stores.ts';
import { type BindUserOrg, bindUserOrg } from './bind-user-org.ts';
import { type BindUserRole, bindUserRole } from './bind-user-role.ts';
import { type BindUserStore, bindUserStore } from './bind-user-store.ts';
import { type CreateUser, createUser } from './create-user.ts';
import { type QueryUser, queryUser } from './query-user.ts';
import { type QueryUserRole, queryUserRole } from './query-user-role.ts';
import { type QueryUserStores, queryUserStores } from './query-user-stores.ts';
import { type UnbindUserOrg, unbindUserOrg } from './unbind-user-org.ts';
import { type UnbindUserRole, unbindUserRole } from './unbind-user-role.ts';
import { type UnbindUserStore, unbindUserStore } from './unbind-user-store.ts';
import { type UpdateUser, updateUser } from './update-user.ts';

/** Every operation, in the order of the contract. */
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

/** A method for every operation; `Id` is the type of the int64 values in answers. */
export interface OperationMethods<Id = bigint>
  extends CreateUser<Id>,
    QueryUser<Id>,
    UpdateUser,
    BindUserRole,
    QueryUserRole<Id>,
    UnbindUserRole,
    BindUserOrg,
    UnbindUserOrg,
    BindUserStore,
    UnbindUserStore,
    QueryUserStores,
    BatchUpdateUserStores<Id> {}

/** How far a timestamp may be from the server's clock. */
export const timestampSkewSeconds = 60;
