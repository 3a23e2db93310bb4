import type { OperationKey } from '@fieldroster/contract';

/**
 * A call of an operation and its `data`, as the documents show them. They work on the sample directory of
 * `npm start`; a test sends them to a real server.
 */
export interface Example {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

const profile = {
  real_name: 'Li Wei',
  nickname: 'Wei',
  gender: 1,
  email: 'li.wei@example.com',
  phone: '+86 10 5555 0101',
  department: 'North',
  avatar: '',
  unique_code: 'E-1047',
};

const { avatar: _unset, ...sent } = profile;

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
    data: { id: 1, username: 'li.wei', password: 'Gr33n-Tea', ...profile },
  },
  queryUser: {
    query: { username: 'li.wei' },
    data: { id: 1, username: 'li.wei', ...profile, roles: [role], orgs: [org] },
  },
  updateUser: { body: { id: 1, phone: '+86 10 5555 0199', nickname: '' } },
  bindUserRole: { body: { user_id: 1, role_id: 1 } },
  queryUserRole: {
    query: { user_id: '1' },
    data: { user_id: 1, roles: [role] },
  },
  unbindUserRole: { query: { user_id: '1', role_id: '1' } },
  bindUserOrg: { body: { user_id: 1, org_id: 10 } },
  unbindUserOrg: { query: { user_id: '1', org_id: '10' } },
  bindUserStore: { body: { user_id: 1, store_code: 'N-001' } },
  unbindUserStore: { query: { user_id: '1', store_code: 'N-001' } },
  queryUserStores: { query: { user_id: '1' }, data: { stores: [store] } },
  batchUpdateUserStores: {
    body: { username: 'li.wei', department: 'South', store_codes: ['N-002', 'N-001'] },
    data: { id: 1, username: 'li.wei' },
  },
};

/** An order in which the examples work on one directory. */
export const exampleOrder: readonly OperationKey[] = [
  ...(['createUser', 'bindUserRole', 'bindUserOrg', 'queryUser', 'queryUserRole'] as const),
  ...(['bindUserStore', 'queryUserStores', 'unbindUserStore', 'updateUser'] as const),
  ...(['unbindUserRole', 'unbindUserOrg', 'batchUpdateUserStores'] as const),
];
