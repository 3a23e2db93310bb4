import type { Operation, OperationKey, Operations } from '@fieldroster/contract';
import { batchUpdateUserStores } from './batch-update-user-stores.ts';
import { batchUsers } from './batch-users.ts';
import { bindUserOrg } from './bind-user-org.ts';
import { bindUserRole } from './bind-user-role.ts';
import { bindUserStore } from './bind-user-store.ts';
import { checkPassword } from './check-password.ts';
import { createOrg } from './create-org.ts';
import { createRole } from './create-role.ts';
import { createStore } from './create-store.ts';
import { createUser } from './create-user.ts';
import { deleteOrg } from './delete-org.ts';
import { deleteRole } from './delete-role.ts';
import { deleteStore } from './delete-store.ts';
import { deleteUser } from './delete-user.ts';
import type { Handler, HandlerOfLongList, HandlerWithRevision } from './handler.ts';
import { listAuditEvents } from './list-audit-events.ts';
import { listOrgs } from './list-orgs.ts';
import { listRoles } from './list-roles.ts';
import { listStoreUsers } from './list-store-users.ts';
import { listStores } from './list-stores.ts';
import { listUsers } from './list-users.ts';
import { queryOrg } from './query-org.ts';
import { queryRole } from './query-role.ts';
import { queryStore } from './query-store.ts';
import { queryUser } from './query-user.ts';
import { queryUserRole } from './query-user-role.ts';
import { queryUserStores } from './query-user-stores.ts';
import { setUserStatus } from './set-user-status.ts';
import { unbindUserOrg } from './unbind-user-org.ts';
import { unbindUserRole } from './unbind-user-role.ts';
import { unbindUserStore } from './unbind-user-store.ts';
import { updateOrg } from './update-org.ts';
import { updateRole } from './update-role.ts';
import { updateStore } from './update-store.ts';
import { updateUser } from './update-user.ts';
import { upsertStores } from './upsert-stores.ts';

type HandlerOf<Definition extends Operation> = Definition extends { readonly hasETag: true }
  ? HandlerWithRevision<Definition>
  : Handler<Definition> | HandlerOfLongList<Definition>;

/** The handler of every operation of the contract; the compiler reports a missing one. */
export const handlers: { readonly [Key in OperationKey]: HandlerOf<Operations[Key]> } = {
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
};
