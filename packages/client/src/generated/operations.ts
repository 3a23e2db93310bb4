// Generated from the contract by scripts/generate.ts; edit the contract instead.

import { type BatchUpdateUserStores, batchUpdateUserStores } from './batch-update-user-stores.ts';
import { type BatchUsers, batchUsers } from './batch-users.ts';
import { type BindUserOrg, bindUserOrg } from './bind-user-org.ts';
import { type BindUserRole, bindUserRole } from './bind-user-role.ts';
import { type BindUserStore, bindUserStore } from './bind-user-store.ts';
import { type CheckPassword, checkPassword } from './check-password.ts';
import { type CreateOrg, createOrg } from './create-org.ts';
import { type CreateRole, createRole } from './create-role.ts';
import { type CreateStore, createStore } from './create-store.ts';
import { type CreateUser, createUser } from './create-user.ts';
import { type DeleteOrg, deleteOrg } from './delete-org.ts';
import { type DeleteRole, deleteRole } from './delete-role.ts';
import { type DeleteStore, deleteStore } from './delete-store.ts';
import { type DeleteUser, deleteUser } from './delete-user.ts';
import { type ListAuditEvents, listAuditEvents } from './list-audit-events.ts';
import { type ListOrgs, listOrgs } from './list-orgs.ts';
import { type ListRoles, listRoles } from './list-roles.ts';
import { type ListStoreUsers, listStoreUsers } from './list-store-users.ts';
import { type ListStores, listStores } from './list-stores.ts';
import { type ListUsers, listUsers } from './list-users.ts';
import { type QueryOrg, queryOrg } from './query-org.ts';
import { type QueryRole, queryRole } from './query-role.ts';
import { type QueryStore, queryStore } from './query-store.ts';
import { type QueryUser, queryUser } from './query-user.ts';
import { type QueryUserRole, queryUserRole } from './query-user-role.ts';
import { type QueryUserStores, queryUserStores } from './query-user-stores.ts';
import { type SetUserStatus, setUserStatus } from './set-user-status.ts';
import { type UnbindUserOrg, unbindUserOrg } from './unbind-user-org.ts';
import { type UnbindUserRole, unbindUserRole } from './unbind-user-role.ts';
import { type UnbindUserStore, unbindUserStore } from './unbind-user-store.ts';
import { type UpdateOrg, updateOrg } from './update-org.ts';
import { type UpdateRole, updateRole } from './update-role.ts';
import { type UpdateStore, updateStore } from './update-store.ts';
import { type UpdateUser, updateUser } from './update-user.ts';
import { type UpsertStores, upsertStores } from './upsert-stores.ts';

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
  listUsers,
  listAuditEvents,
  createRole,
  queryRole,
  updateRole,
  deleteRole,
  listRoles,
  createOrg,
  queryOrg,
  updateOrg,
  deleteOrg,
  listOrgs,
  createStore,
  queryStore,
  updateStore,
  deleteStore,
  listStores,
  upsertStores,
  listStoreUsers,
  batchUsers,
  deleteUser,
  setUserStatus,
  checkPassword,
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
    BatchUpdateUserStores<Id>,
    ListUsers<Id>,
    ListAuditEvents<Id>,
    CreateRole<Id>,
    QueryRole<Id>,
    UpdateRole,
    DeleteRole,
    ListRoles<Id>,
    CreateOrg<Id>,
    QueryOrg<Id>,
    UpdateOrg,
    DeleteOrg,
    ListOrgs<Id>,
    CreateStore<Id>,
    QueryStore<Id>,
    UpdateStore,
    DeleteStore,
    ListStores<Id>,
    UpsertStores,
    ListStoreUsers<Id>,
    BatchUsers<Id>,
    DeleteUser,
    SetUserStatus,
    CheckPassword<Id> {}

/** How far a timestamp may be from the server's clock. */
export const timestampSkewSeconds = 60;

/** How long to wait for an answer. */
export const answerWait = {
  usualMs: 15000,
  manyRowsMs: 100000,
  largeBodyBytesMin: 16384,
  turnMs: 60000,
  perMebibyteMs: 8000,
  perPasswordMs: 100,
} as const;
