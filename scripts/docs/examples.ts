import { type OperationKey, profileFields } from '@fieldroster/contract';

/**
 * A call of an operation and its `data`, as shown in the documents. Examples run on the sample directory of
 * `npm start`; a test sends them to a real server.
 */
export interface Example {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

const sent = {
  real_name: 'Li Wei',
  nickname: 'Wei',
  gender: 1,
  email: 'li.wei@example.com',
  phone: '+86 10 5555 0101',
  department: 'North',
  unique_code: 'E-1047',
};

const unset = Object.fromEntries(
  Object.entries(profileFields).map(([field, schema]) => [field, 'enum' in schema ? 0 : '']),
);

const profile = { ...unset, ...sent };

const role = {
  id: 1,
  name: 'Sales representative',
  system_id: 1,
  order: 1,
  description: 'Visits stores and takes their orders',
  code: 'SALES_REP',
};

const org = { id: 10, name: 'North region', parent_id: 1 };

const store = { code: 'N-001', name: 'Harbour Foods Pier Street', address: '4 Pier Street, Northport' };

export const examples: Readonly<Record<OperationKey, Example>> = {
  createUser: {
    body: { username: 'li.wei', password: 'Gr33n-Tea', ...sent },
    data: { id: 81, username: 'li.wei', password: 'Gr33n-Tea', ...profile },
  },
  queryUser: {
    query: { username: 'li.wei' },
    data: { id: 81, username: 'li.wei', ...profile, roles: [role], orgs: [org] },
  },
  updateUser: { body: { id: 81, phone: '+86 10 5555 0199', nickname: '' } },
  bindUserRole: { body: { user_id: 81, role_id: 1 } },
  queryUserRole: {
    query: { user_id: '81' },
    data: { user_id: 81, roles: [role] },
  },
  unbindUserRole: { query: { user_id: '81', role_id: '1' } },
  bindUserOrg: { body: { user_id: 81, org_id: 10 } },
  unbindUserOrg: { query: { user_id: '81', org_id: '10' } },
  bindUserStore: { body: { user_id: 81, store_code: 'N-001' } },
  unbindUserStore: { query: { user_id: '81', store_code: 'N-001' } },
  queryUserStores: { query: { user_id: '81' }, data: { stores: [store] } },
  batchUpdateUserStores: {
    body: { username: 'li.wei', department: 'South', store_codes: ['N-002', 'N-001'] },
    data: { id: 81, username: 'li.wei' },
  },
  listUsers: {
    query: { search: 'LI.W', org_id: '1', include_children: 'true', limit: '100' },
    data: {
      users: [
        {
          id: 81,
          username: 'li.wei',
          ...profile,
          roles: [role],
          orgs: [org],
          status: 'active',
          revision: 3,
          created_at: 1768478400250,
          updated_at: 1768478400310,
        },
      ],
      next_cursor: '',
    },
  },
  listAuditEvents: {
    query: { user_id: '81', operation: 'bind-user-role' },
    data: {
      events: [
        {
          id: 88,
          at: 1768478400270,
          app_id: 'k3v9wq7txm',
          operation: 'bind-user-role',
          user_id: 81,
          request_id: '4f1d0c2ab97e-2',
          changes: { role_id: { from: null, to: 1 } },
        },
      ],
      next_cursor: '',
    },
  },
  createRole: {
    body: { name: 'Auditor', order: 6, code: 'AUDIT' },
    data: { id: 4, name: 'Auditor', system_id: 0, order: 6, description: '', code: 'AUDIT', revision: 1 },
  },
  queryRole: { query: { id: '1' }, data: { ...role, revision: 1 } },
  updateRole: { body: { id: 4, description: 'Checks prices', if_revision: 1 } },
  deleteRole: { query: { id: '4', force: 'true' } },
  listRoles: {
    query: { limit: '1' },
    data: { roles: [{ ...role, revision: 1 }], next_cursor: 'W3sibiI6IjEiLCJvZiI6Imxpc3Qtcm9sZXMifV0' },
  },
  createOrg: {
    body: { name: 'West region', parent_id: 1 },
    data: { id: 24, name: 'West region', parent_id: 1, revision: 1 },
  },
  queryOrg: { query: { id: '10' }, data: { ...org, revision: 1 } },
  updateOrg: { body: { id: 24, parent_id: 20, if_revision: 1 } },
  deleteOrg: { query: { id: '24', if_revision: '2' } },
  listOrgs: {
    query: { limit: '1' },
    data: {
      orgs: [{ id: 1, name: 'Harbour Foods', parent_id: 0, revision: 1 }],
      next_cursor: 'W3sibiI6IjEiLCJvZiI6Imxpc3Qtb3JncyJ9XQ',
    },
  },
  createStore: {
    body: { code: 'W-001', name: 'West End Market', address: '2 Harbour Road, Westport' },
    data: { code: 'W-001', name: 'West End Market', address: '2 Harbour Road, Westport', revision: 1 },
  },
  queryStore: { query: { code: 'N-001' }, data: { ...store, revision: 1 } },
  updateStore: { body: { code: 'W-001', name: 'West End Deli', if_revision: 1 } },
  deleteStore: { query: { code: 'W-001' } },
  listStores: {
    query: { limit: '1' },
    data: { stores: [{ ...store, revision: 1 }], next_cursor: 'WyJOLTAwMSJd' },
  },
  upsertStores: {
    body: {
      stores: [
        store,
        { code: 'W-002', name: 'Old Mill' },
        { code: 'N-006', name: 'Station Kiosk', address: 'Platform 2, Lakemoor Central' },
      ],
    },
    data: { applied: true, created: 1, updated: 1, unchanged: 1 },
  },
  listStoreUsers: {
    query: { store_code: 'N-001', limit: '1' },
    data: {
      users: [
        {
          id: 1,
          username: 'mara.okafor',
          real_name: 'Mara Okafor',
          phone: '+44 20 7946 0100',
          status: 'active',
        },
      ],
      next_cursor: 'W3sibiI6IjEiLCJvZiI6Imxpc3Qtc3RvcmUtdXNlcnMifV0',
    },
  },
  batchUsers: {
    body: {
      users: [
        { username: 'li.wei', department: 'South', role_id: 1, store_codes: ['N-002', 'N-003'] },
        { username: 'ana.silva', real_name: 'Ana Silva', org_id: 10, store_codes: ['N-001'] },
        { username: 'tom.reed', store_codes: ['N-999'] },
      ],
    },
    data: {
      applied: true,
      created: 1,
      updated: 1,
      unchanged: 0,
      failed: 1,
      results: [
        {
          index: 0,
          username: 'li.wei',
          outcome: 'updated',
          id: 81,
          code: 0,
          message: '',
          changes: [{ field: 'role_id', from: '', to: '1' }],
          stores_added: ['N-003'],
          stores_removed: ['N-001'],
        },
        {
          index: 1,
          username: 'ana.silva',
          outcome: 'created',
          id: 82,
          code: 0,
          message: '',
          changes: [
            { field: 'username', from: '', to: 'ana.silva' },
            { field: 'real_name', from: '', to: 'Ana Silva' },
            { field: 'org_id', from: '', to: '10' },
          ],
          stores_added: ['N-001'],
          stores_removed: [],
        },
        {
          index: 2,
          username: 'tom.reed',
          outcome: 'failed',
          id: 0,
          code: 1401,
          message: 'the store does not exist: "N-999"',
          changes: [],
          stores_added: [],
          stores_removed: [],
        },
      ],
    },
  },
  deleteUser: { query: { username: 'ana.silva' } },
  setUserStatus: { body: { username: 'li.wei', status: 'disabled' } },
  checkPassword: {
    body: { username: 'li.wei', password: 'Gr33n-Tea' },
    data: { id: 81, username: 'li.wei' },
  },
};

/** Fields of the examples whose values depend on the time or the directory. */
export const variableFields: readonly string[] = ['created_at', 'updated_at', 'at', 'app_id', 'request_id'];

/** An order in which the examples work on a single directory. */
export const exampleOrder: readonly OperationKey[] = [
  ...(['createUser', 'bindUserRole', 'bindUserOrg', 'queryUser', 'queryUserRole'] as const),
  ...(['listUsers', 'listAuditEvents'] as const),
  ...(['bindUserStore', 'queryUserStores', 'listStoreUsers', 'unbindUserStore', 'updateUser'] as const),
  ...(['unbindUserRole', 'unbindUserOrg', 'batchUpdateUserStores'] as const),
  ...(['batchUsers', 'checkPassword', 'setUserStatus', 'deleteUser'] as const),
  ...(['createRole', 'queryRole', 'updateRole', 'deleteRole', 'listRoles'] as const),
  ...(['createOrg', 'queryOrg', 'updateOrg', 'deleteOrg', 'listOrgs'] as const),
  ...(['createStore', 'queryStore', 'updateStore', 'deleteStore', 'listStores', 'upsertStores'] as const),
];
