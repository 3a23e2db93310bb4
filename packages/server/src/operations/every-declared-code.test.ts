import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  codesOf,
  type ErrorCode,
  limits,
  type Operation,
  type OperationKey,
  type Operations,
  operations,
  type sharedCodes,
} from '@fieldroster/contract';
import { bigOrg, bigRole } from '../../test/sample-directory.ts';
import { testEngineVariable } from '../../test/test-database-parts.ts';
import { type Answer, applications, type Overrides, startTestServer } from '../../test/test-server.ts';

/**
 * Provokes every code that an operation itself declares, and every shared code once for each kind of operation. A new
 * code without a scenario fails.
 */

const usual = await startTestServer({ settings: { bodyBytesMax: 2048, batchBodyBytesMax: 4096 } });
const strict = await startTestServer({ settings: { replay: 'nonce' }, lockWaitMs: 20 });
const limited = await startTestServer({ settings: { rateLimit: 1 } });
const broken = await startTestServer();
const servers = [usual, strict, limited, broken];
after(() => Promise.all(servers.map((server) => server.close())));

/** May do everything, but not from here. */
const elsewhere = { appId: 'app-elsewhere', appSecret: 'the-secret-of-app-elsewhere' };
await usual.issueApplication('manage', elsewhere);
await usual.database.applications.updateApplication('app-elsewhere', { allowedAddresses: ['192.0.2.1'] });
await usual.app.applications.refresh();

interface Request {
  readonly target: string;
  readonly body?: unknown;
}

type Scenario = () => Promise<Answer>;

// Each server starts from the same sample, so that the ids are the same everywhere.
const [user, unbound] = [await createUsers(usual), 2];
await createUsers(strict);
await createUsers(limited);
await createUsers(broken);
await broken.breakDatabase();
for (const table of ['role', 'org', 'store', 'audit_event'] as const) {
  await broken.db.schema.alterTable(table).renameTo(`lost_${table}`).execute();
}

async function createUsers(server: typeof usual): Promise<number> {
  const steps = [
    () => server.succeed('POST', '/user/stores', { username: 'bound', store_codes: ['S001'] }),
    () => server.succeed('POST', '/user/role', { user_id: 1, role_id: 7 }),
    () => server.succeed('POST', '/user/org', { user_id: 1, org_id: 1 }),
    () => server.succeed('POST', '/user/stores', { username: 'unbound' }),
    // Stays bound: no operation unbinds it.
    () => server.succeed('POST', '/user/stores', { username: 'kept', store_codes: ['S002'] }),
    () => server.succeed('POST', '/user/role', { user_id: 3, role_id: 7 }),
    () => server.succeed('POST', '/user/org', { user_id: 3, org_id: 1 }),
    () => server.succeed('POST', '/user', { username: 'login', password: 'right' }),
    () => server.succeed('POST', '/user', { username: 'disabled', password: 'right' }),
    () => server.succeed('PUT', '/user/status', { username: 'disabled', status: 'disabled' }),
    () => server.succeed('POST', '/user/stores', { username: 'doomed' }),
  ];
  for (const step of steps) {
    // The limited server accepts one request a second.
    server.nowMs += 1000;
    await step();
  }
  return 1;
}

/** A well-formed request of each operation; on a fresh sample it would succeed. */
const rightRequests: { readonly [Key in OperationKey]: Request } = {
  createUser: { target: '/user', body: { username: 'created', password: 'p' } },
  queryUser: { target: `/user?user_id=${user}` },
  updateUser: { target: '/user', body: { id: user, nickname: 'N' } },
  bindUserRole: { target: '/user/role', body: { user_id: user, role_id: 7 } },
  queryUserRole: { target: `/user/role?user_id=${user}` },
  unbindUserRole: { target: `/user/role?user_id=${user}&role_id=7` },
  bindUserOrg: { target: '/user/org', body: { user_id: user, org_id: 1 } },
  unbindUserOrg: { target: `/user/org?user_id=${user}&org_id=1` },
  bindUserStore: { target: '/user/store', body: { user_id: user, store_code: 'S001' } },
  unbindUserStore: { target: `/user/store?user_id=${user}&store_code=S001` },
  queryUserStores: { target: `/user/store?user_id=${user}` },
  batchUpdateUserStores: { target: '/user/stores', body: { username: 'bound' } },
  listUsers: { target: '/users' },
  listAuditEvents: { target: '/audit' },
  createRole: { target: '/role', body: { name: 'New' } },
  queryRole: { target: '/role?id=7' },
  updateRole: { target: '/role', body: { id: 7, description: 'D' } },
  deleteRole: { target: `/role?id=${bigRole.text}` },
  listRoles: { target: '/roles' },
  createOrg: { target: '/org', body: { name: 'New' } },
  queryOrg: { target: '/org?id=1' },
  updateOrg: { target: '/org', body: { id: 1, name: 'O' } },
  deleteOrg: { target: `/org?id=${bigOrg.text}` },
  listOrgs: { target: '/orgs' },
  createStore: { target: '/store', body: { code: 'NEW', name: 'New' } },
  queryStore: { target: '/store?code=S001' },
  updateStore: { target: '/store', body: { code: 'S001', name: 'S' } },
  deleteStore: { target: '/store?code=S003' },
  listStores: { target: '/stores' },
  upsertStores: { target: '/stores', body: { stores: [{ code: 'S002', name: 'S' }] } },
  listStoreUsers: { target: '/store/users?store_code=S001' },
  batchUsers: { target: '/users/batch', body: { users: [{ username: 'batched' }] } },
  deleteUser: { target: '/user?username=doomed' },
  setUserStatus: { target: '/user/status', body: { id: user, status: 'active' } },
  checkPassword: { target: '/user/password/check', body: { username: 'login', password: 'right' } },
};

const ownRequests: {
  readonly [Key in OperationKey]: Readonly<Record<Operations[Key]['codes'][number], Request>>;
} = {
  createUser: {
    1002: { target: '/user', body: '[]' },
    1102: { target: '/user', body: { username: 'bound', password: 'p' } },
  },
  queryUser: {
    1101: { target: '/user?username=nobody' },
    1103: { target: `/user?user_id=${user}&username=unbound` },
  },
  updateUser: {
    1002: { target: '/user', body: '{"id":1,}' },
    1017: { target: '/user', body: { id: user, if_revision: 4711 } },
    1101: { target: '/user', body: { id: 4711 } },
    1103: { target: '/user', body: { id: user, username: 'unbound' } },
  },
  bindUserRole: {
    1002: { target: '/user/role', body: 'null' },
    1101: { target: '/user/role', body: { user_id: 4711, role_id: 7 } },
    1201: { target: '/user/role', body: { user_id: user, role_id: 4711 } },
  },
  queryUserRole: { 1101: { target: '/user/role?user_id=4711' } },
  unbindUserRole: {
    1101: { target: '/user/role?user_id=4711&role_id=7' },
    1202: { target: `/user/role?user_id=${unbound}&role_id=7` },
  },
  bindUserOrg: {
    1002: { target: '/user/org', body: '"text"' },
    1101: { target: '/user/org', body: { user_id: 4711, org_id: 1 } },
    1301: { target: '/user/org', body: { user_id: user, org_id: 4711 } },
  },
  unbindUserOrg: {
    1101: { target: '/user/org?user_id=4711&org_id=1' },
    1302: { target: `/user/org?user_id=${unbound}&org_id=1` },
  },
  bindUserStore: {
    1002: { target: '/user/store', body: '' },
    1101: { target: '/user/store', body: { user_id: 4711, store_code: 'S001' } },
    1401: { target: '/user/store', body: { user_id: user, store_code: 'none' } },
  },
  unbindUserStore: {
    1101: { target: '/user/store?user_id=4711&store_code=S001' },
    1402: { target: `/user/store?user_id=${unbound}&store_code=S001` },
  },
  queryUserStores: { 1101: { target: '/user/store?user_id=4711' } },
  batchUpdateUserStores: {
    1002: { target: '/user/stores', body: '1' },
    1017: { target: '/user/stores', body: { username: 'bound', if_revision: 0 } },
    1401: { target: '/user/stores', body: { username: 'bound', store_codes: ['none'] } },
  },
  listUsers: {
    1201: { target: '/users?role_id=4711' },
    1301: { target: '/users?org_id=4711' },
    1401: { target: '/users?store_code=none' },
  },
  listAuditEvents: {},
  createRole: {
    1002: { target: '/role', body: '[]' },
    1204: { target: '/role', body: { id: 7, name: 'R' } },
  },
  queryRole: { 1201: { target: '/role?id=4711' } },
  updateRole: {
    1002: { target: '/role', body: '[]' },
    1017: { target: '/role', body: { id: 7, if_revision: 4711 } },
    1201: { target: '/role', body: { id: 4711 } },
  },
  deleteRole: {
    1017: { target: '/role?id=7&if_revision=4711' },
    1201: { target: '/role?id=4711' },
    1203: { target: '/role?id=7' },
  },
  listRoles: {},
  createOrg: {
    1002: { target: '/org', body: '[]' },
    1301: { target: '/org', body: { name: 'O', parent_id: 4711 } },
    1304: { target: '/org', body: { id: 1, name: 'O' } },
  },
  queryOrg: { 1301: { target: '/org?id=4711' } },
  updateOrg: {
    1002: { target: '/org', body: '[]' },
    1017: { target: '/org', body: { id: 1, if_revision: 4711 } },
    1301: { target: '/org', body: { id: 4711 } },
    1305: { target: '/org', body: { id: 1, parent_id: 1 } },
  },
  deleteOrg: {
    1017: { target: '/org?id=1&if_revision=4711' },
    1301: { target: '/org?id=4711' },
    1303: { target: '/org?id=1' },
  },
  listOrgs: {},
  createStore: {
    1002: { target: '/store', body: '[]' },
    1404: { target: '/store', body: { code: 'S001', name: 'S' } },
  },
  queryStore: { 1401: { target: '/store?code=none' } },
  updateStore: {
    1002: { target: '/store', body: '[]' },
    1017: { target: '/store', body: { code: 'S001', if_revision: 4711 } },
    1401: { target: '/store', body: { code: 'none' } },
  },
  deleteStore: {
    1017: { target: '/store?code=S001&if_revision=4711' },
    1401: { target: '/store?code=none' },
    1403: { target: '/store?code=S002' },
  },
  listStores: {},
  upsertStores: { 1002: { target: '/stores', body: '[]' } },
  listStoreUsers: { 1401: { target: '/store/users?store_code=none' } },
  batchUsers: { 1002: { target: '/users/batch', body: '[{"username":"batched"}]' } },
  deleteUser: {
    1017: { target: `/user?user_id=${user}&if_revision=4711` },
    1101: { target: '/user?user_id=4711' },
    1103: { target: `/user?user_id=${user}&username=unbound` },
  },
  setUserStatus: {
    1002: { target: '/user/status', body: '{' },
    1017: { target: '/user/status', body: { id: user, status: 'disabled', if_revision: 4711 } },
    1101: { target: '/user/status', body: { id: 4711, status: 'disabled' } },
    1103: { target: '/user/status', body: { id: user, username: 'unbound', status: 'disabled' } },
  },
  checkPassword: {
    1002: { target: '/user/password/check', body: '0' },
    1104: { target: '/user/password/check', body: { username: 'login', password: 'wrong' } },
    1105: { target: '/user/password/check', body: { username: 'disabled', password: 'right' } },
  },
};

/** Declared by some operations only; the check behind them does not concern the others. */
const codesOfSome = [1003] as const;

type SharedCode = (typeof sharedCodes | typeof codesOfSome)[number];

/** Provokes each shared code for any operation, starting from a well-formed request. */
const sharedScenarios: {
  readonly [Code in SharedCode]: (operation: Operation, right: Request) => Promise<Answer>;
} = {
  1001: ({ method, path, query, body }) =>
    usual.call(method, query?.properties.limit === undefined ? path : `${path}?limit=0`, body && {}),
  1003: (operation, right) => send(operation, right, { headers: { 'Content-Type': 'text/plain' } }),
  1004: ({ method, bodyLimit }, { target }) =>
    usual.call(method, target, 'x'.repeat((bodyLimit === 'bulk' ? limits.bulkBodyBytesMax : 4096) + 1)),
  1011: (operation, right) => send(operation, right, { headers: { Nonce: undefined } }),
  1012: (operation, right) => send(operation, right, { timestampSeconds: usual.nowSeconds - 61 }),
  1013: (operation, right) => send(operation, right, { as: { appId: 'nobody', appSecret: 'x' } }),
  1014: (operation, right) =>
    send(operation, right, { as: { appId: applications.main.appId, appSecret: 'wrong' } }),
  1015: async ({ method }, { target, body }) => {
    const sameNonce = { nonce: `${method} ${target}`.slice(0, 36) };
    await strict.succeed(method, target, body, sameNonce);
    return strict.call(method, target, body, sameNonce);
  },
  1016: (operation, right) => send(operation, right, { as: elsewhere }),
  1429: async ({ method }, { target, body }) => {
    limited.nowMs += 2000;
    await limited.succeed(method, target, body);
    return limited.call(method, target, body);
  },
  1500: ({ method }, { target, body }) => broken.call(method, target, body),
  1503: ({ method }, { target, body }) => strict.whileLocked(() => strict.call(method, target, body)),
};

function send({ method }: Operation, { target, body }: Request, overrides: Overrides): Promise<Answer> {
  return usual.call(method, target, body, overrides);
}

function scenarioOf(key: OperationKey, code: ErrorCode): Scenario | undefined {
  const operation: Operation = operations[key];
  const own = (ownRequests[key] as Partial<Record<ErrorCode, Request>>)[code];
  if (own !== undefined) return () => usual.call(operation.method, own.target, own.body);
  const shared = sharedScenarios[code as SharedCode];
  return shared && (() => shared(operation, rightRequests[key]));
}

/** Only these depend on the engine; the pipeline answers the other shared codes before it asks the database. */
const sharedCodesOfEngine: readonly number[] = [1015, 1500, 1503];

const onPostgres = process.env[testEngineVariable] === 'postgres';

const keys = Object.keys(operations) as OperationKey[];

const answered = new Map<OperationKey, Set<number>>();

for (const key of keys) {
  answered.set(key, new Set());
  for (const code of Object.keys(ownRequests[key]).map(Number) as ErrorCode[]) testCode(key, code, true);
}

for (const key of keys.filter((each) => exampleOfKind(each) === each)) {
  const declared = codesOf(operations[key]);
  for (const code of Object.keys(sharedScenarios).map(Number) as SharedCode[]) {
    if (!onPostgres || sharedCodesOfEngine.includes(code)) testCode(key, code, declared.includes(code));
  }
}

function testCode(key: OperationKey, code: ErrorCode, possible: boolean): void {
  const { name } = operations[key];
  test(`${name} ${possible ? 'answers' : 'has no reason to answer'} ${code}`, async () => {
    const scenario = scenarioOf(key, code);
    assert(scenario !== undefined, `no scenario provokes ${code} of ${name}`);
    const { envelope } = await scenario();
    answered.get(key)?.add(envelope.code);
    assert.equal(envelope.code, possible ? code : 0, envelope.message);
    if (possible) assert.deepEqual(Object.keys(envelope), ['code', 'message']);
  });
}

/** Returns the operation that represents all of its kind, because the pipeline treats them alike. */
function exampleOfKind(key: OperationKey): OperationKey {
  return keys.find((other) => kindOf(other) === kindOf(key)) ?? key;
}

function kindOf(key: OperationKey): string {
  const { access, bodyLimit, body }: Operation = operations[key];
  return JSON.stringify({ access, bodyLimit, hasBody: body !== undefined });
}

test('every code that an operation declares is its own or a shared one, and has a scenario', () => {
  for (const key of keys) {
    for (const code of codesOf(operations[key]))
      assert(scenarioOf(key, code) !== undefined, `no scenario provokes ${code} of ${key}`);
  }
});

test('operations of one kind declare the same shared codes', () => {
  for (const key of keys) assert.deepEqual(sharedCodesOf(key), sharedCodesOf(exampleOfKind(key)), key);
});

function sharedCodesOf(key: OperationKey): number[] {
  return codesOf(operations[key]).filter((code) => code in sharedScenarios);
}

test('no operation answered a code that it does not declare', () => {
  for (const [key, codes] of answered) {
    const declared = new Set<number>([0, ...codesOf(operations[key])]);
    assert.deepEqual([...codes.difference(declared)], [], key);
  }
});
