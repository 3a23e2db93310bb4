import { batchUpdateUserStores } from './operations/batch-update-user-stores.ts';
import { batchUsers } from './operations/batch-users.ts';
import { bindUserOrg } from './operations/bind-user-org.ts';
import { bindUserRole } from './operations/bind-user-role.ts';
import { bindUserStore } from './operations/bind-user-store.ts';
import { checkPassword } from './operations/check-password.ts';
import { createOrg } from './operations/create-org.ts';
import { createRole } from './operations/create-role.ts';
import { createStore } from './operations/create-store.ts';
import { createUser } from './operations/create-user.ts';
import { deleteOrg } from './operations/delete-org.ts';
import { deleteRole } from './operations/delete-role.ts';
import { deleteStore } from './operations/delete-store.ts';
import { deleteUser } from './operations/delete-user.ts';
import { listAuditEvents } from './operations/list-audit-events.ts';
import { listOrgs } from './operations/list-orgs.ts';
import { listRoles } from './operations/list-roles.ts';
import { listStoreUsers } from './operations/list-store-users.ts';
import { listStores } from './operations/list-stores.ts';
import { listUsers } from './operations/list-users.ts';
import { queryOrg } from './operations/query-org.ts';
import { queryRole } from './operations/query-role.ts';
import { queryStore } from './operations/query-store.ts';
import { queryUser } from './operations/query-user.ts';
import { queryUserRole } from './operations/query-user-role.ts';
import { queryUserStores } from './operations/query-user-stores.ts';
import { setUserStatus } from './operations/set-user-status.ts';
import { unbindUserOrg } from './operations/unbind-user-org.ts';
import { unbindUserRole } from './operations/unbind-user-role.ts';
import { unbindUserStore } from './operations/unbind-user-store.ts';
import { updateOrg } from './operations/update-org.ts';
import { updateRole } from './operations/update-role.ts';
import { updateStore } from './operations/update-store.ts';
import { updateUser } from './operations/update-user.ts';
import { upsertStores } from './operations/upsert-stores.ts';

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

export type Operations = typeof operations;

/** Key of an operation in code; its `name` is the same in kebab-case. */
export type OperationKey = keyof Operations;
