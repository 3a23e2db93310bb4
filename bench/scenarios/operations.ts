import type { Traffic } from '../contenders/server-under-load.ts';
import { seeded, storeCode, username } from '../directory/seeded-user.ts';
import { batchCodes } from './batch-update-user-stores.ts';
import { bindUserStoreTraffic } from './bind-user-store.ts';
import { bindingPair, mixed, ofRandomUser, reads, send, target, writes } from './operation-traffic.ts';
import { queryUserTraffic } from './query-user.ts';

/** One load of the matrix; all of them meet the same server, in their order, in every round. */
export interface MatrixRow {
  readonly name: string;
  readonly title: string;
  /** Name of the row that it is compared to. */
  readonly comparedTo: string;
  readonly traffic: Traffic;
}

const storesOfUser = 10;
const [read, write, both] = ['query-user', 'bind-user-store', 'reads-and-writes'] as const;
const bothTitle = '90 % GET /user, 10 % POST /user/store';

/** The twelve operations, reads and writes mixed, and both at other numbers of connections. */
export function operationRows(users: number): readonly MatrixRow[] {
  return [...userRows(users), ...bindingRows(users), ...storeRows(users), ...loadRows(users)];
}

function userRows(users: number): MatrixRow[] {
  const created = 'created.by.bench.';
  const create = writes(
    (index) => send('POST', '/user', { username: `${created}${index}`, password: 'pw' }),
    2_000,
  );
  const update = ofRandomUser(users, (id) => send('PUT', '/user', { id, ...profileOf(id) }));
  return [
    row('create-user', 'POST /user', write, create),
    row(read, 'GET /user', read, queryUserTraffic(users)),
    row('update-user', 'PUT /user', write, writes(update)),
  ];
}

function profileOf(id: number) {
  const changed = Math.floor(Math.random() * 1_000_000);
  return {
    real_name: `Representative ${changed}`,
    nickname: `Rep ${id}`,
    department: `Sales ${changed % 40}`,
  };
}

function bindingRows(users: number): MatrixRow[] {
  const roleOf = (index: number) => ({
    user_id: 1 + (index % users),
    role_id: 1 + (rotated(index, users) % seeded.roles),
  });
  const orgOf = (index: number) => ({
    user_id: 1 + (index % users),
    org_id: 1 + (rotated(index, users) % seeded.orgs),
  });
  const queryRole = ofRandomUser(users, (user_id) => target('GET', '/user/role', { user_id }));
  // A user has one role and one organization.
  const [bindRole, unbindRole] = bindingPair('/user/role', roleOf, users);
  const [bindOrg, unbindOrg] = bindingPair('/user/org', orgOf, users);
  return [
    row('bind-user-role', 'POST /user/role', write, bindRole),
    row('query-user-role', 'GET /user/role', read, reads(queryRole)),
    row('unbind-user-role', 'DELETE /user/role', write, unbindRole),
    row('bind-user-org', 'POST /user/org', write, bindOrg),
    row('unbind-user-org', 'DELETE /user/org', write, unbindOrg),
  ];
}

function storeRows(users: number): MatrixRow[] {
  const [bind, unbind] = bindingPair('/user/store', (index) => ({
    user_id: 1 + (index % users),
    store_code: storeCode(rotated(index, users) % seeded.stores),
  }));
  const withStores = Math.min(users, 1_000);
  const batch = writes((index) =>
    send('POST', '/user/stores', {
      username: username(1 + (index % withStores)),
      store_codes: batchCodes(Math.floor(index / withStores) % 2, storesOfUser),
    }),
  );
  const query = ofRandomUser(withStores, (user_id) => target('GET', '/user/store', { user_id }));
  return [
    row(write, 'POST /user/store', write, bind),
    row('unbind-user-store', 'DELETE /user/store', write, unbind),
    row('batch-update-user-stores', `POST /user/stores, ${storesOfUser}`, write, batch),
    row('query-user-stores', `GET /user/store, ${storesOfUser}`, read, reads(query)),
  ];
}

function loadRows(users: number): MatrixRow[] {
  const others = [1, 256].flatMap((connections) => [
    row(`${read}-${connections}`, `GET /user, ${connections} at once`, read, {
      ...queryUserTraffic(users),
      connections,
    }),
    row(`${write}-${connections}`, `POST /user/store, ${connections} at once`, write, {
      ...bindUserStoreTraffic(users),
      connections,
    }),
    row(`${both}-${connections}`, `${bothTitle}, ${connections} at once`, read, {
      ...mixed(users),
      connections,
    }),
  ]);
  return [row(both, bothTitle, read, mixed(users)), ...others];
}

/** The next time round the users, each of them gets another target than the last time. */
function rotated(index: number, users: number): number {
  return index + Math.floor(index / users);
}

function row(name: string, title: string, comparedTo: string, traffic: Traffic): MatrixRow {
  return { name, title, comparedTo, traffic };
}
