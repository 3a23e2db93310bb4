import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Operation, operations } from '@fieldroster/contract';
import { type Insertable, sql } from 'kysely';
import { bigOrg } from '../../test/sample-directory.ts';
import { type Answer, applications, startTestServer, type TestServer } from '../../test/test-server.ts';
import { keyOf } from '../database/queries/imports/copy-tables.ts';
import { toNewUserColumns } from '../database/queries/records.ts';
import type { Schema } from '../database/queries/schema.ts';

/**
 * Two servers with the same tenant. On one it is the only tenant; on the other a second tenant has users, roles,
 * organizations and stores, some with the first one's ids, names and codes. Every operation is called with each of its
 * fields naming the caller's own, what both have, what only the other tenant has, and what nobody has. If anything of
 * the second tenant showed, the answers would differ.
 */
const alone = await startTestServer();
const crowded = await startTestServer();
after(() => Promise.all([alone.close(), crowded.close()]));

/** Far from the ids that users get, so that both servers assign the same ones. */
const theirUsers = new Map([
  ['same', 5_000_001n],
  ['theirs', 5_000_002n],
  ['theirs-2', 5_000_003n],
  ['theirs-3', 5_000_004n],
]);

const tables = [
  'role',
  'org',
  'store',
  'user',
  'user_role',
  'user_org',
  'user_store',
  'audit_event',
] as const;

await removeOtherTenant(alone);
await crowd(crowded);
for (const server of [alone, crowded]) await fillOwnTenant(server);
const theirsBefore = await rowsOfOtherTenant(crowded);
/** In the form of earlier releases, which belongs to every list by id. */
const theirCursor = Buffer.from(JSON.stringify([{ n: String(await idOfTheirUser()) }])).toString('base64url');

async function idOfTheirUser(): Promise<bigint> {
  const { id } = await crowded.db
    .selectFrom('user')
    .select('id')
    .where('tenant_id', '=', crowded.otherTenantId)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function removeOtherTenant({ db, otherTenantId }: TestServer): Promise<void> {
  for (const table of ['role', 'org', 'store'] as const)
    await db.deleteFrom(table).where('tenant_id', '=', otherTenantId).execute();
}

async function fillOwnTenant(server: TestServer): Promise<void> {
  for (const username of ['same', 'own', 'spare']) {
    const stores = { store_codes: ['S001', 'S002'] };
    const user_id = await server.createUser(username, { ...stores, real_name: 'Same', department: 'Same' });
    await server.succeed('POST', '/user/role', { user_id, role_id: 7 });
    await server.succeed('POST', '/user/org', { user_id, org_id: 1 });
  }
  await server.succeed('POST', '/user', { username: 'login', password: 'right' });
}

async function crowd({ db, otherTenantId: tenant_id }: TestServer): Promise<void> {
  const role = {
    tenant_id,
    name: 'Theirs',
    system_id: 9n,
    position: 9n,
    description: 'Theirs',
    code: 'Theirs',
  };
  await db
    .insertInto('role')
    .values([
      { ...role, id: 7n },
      { ...role, id: 801n },
    ])
    .execute();
  const org = { tenant_id, name: 'Theirs', parent_id: 1n };
  await db
    .insertInto('org')
    .values([
      { ...org, id: 1n, parent_id: null },
      { ...org, id: 2n },
      { ...org, id: 901n },
    ])
    .execute();
  const stores = ['S001', 'X002'].map((code) => ({ tenant_id, code, name: 'Theirs', address: 'Theirs' }));
  await db.insertInto('store').values(stores).execute();
  await db.insertInto('user').values(rowsOfTheirUsers(tenant_id)).execute();
  for (const user_id of theirUsers.values()) {
    await db.insertInto('user_role').values({ tenant_id, user_id, role_id: 7n }).execute();
    await db.insertInto('user_org').values({ tenant_id, user_id, org_id: 1n }).execute();
    await db.insertInto('user_store').values({ tenant_id, user_id, store_code: 'S001' }).execute();
  }
  // Their ids are below all others, so that the first tenant's rows get the same ids; one is newer, one older.
  const event = { tenant_id, app_id: applications.main.appId, request_id: null, operation: 'create-user' };
  const events = [
    { ...event, id: -1n, at: 0n },
    { ...event, id: -2n, at: 2n ** 50n },
  ];
  await db
    .insertInto('audit_event')
    .values(events.map((row) => ({ ...row, user_id: 1n, changes: '{}' })))
    .execute();
}

function rowsOfTheirUsers(tenant_id: bigint): Insertable<Schema['user']>[] {
  const texts = { nickname: 'Theirs', email: 'theirs', phone: 'theirs', department: 'Same' };
  const without = { without_role: 0n, without_org: 0n, without_store: 0n };
  const rest = {
    status: 'active' as const,
    revision: 5n,
    created_at: 0n,
    updated_at: 0n,
  };
  const own = { real_name: 'Same', unique_code: 'theirs' };
  return [...theirUsers].map(([username, id]) => {
    return { ...toNewUserColumns({}), ...texts, ...without, ...rest, ...own, tenant_id, id, username };
  });
}

async function rowsOfOtherTenant({ db, otherTenantId }: TestServer): Promise<unknown[]> {
  return Promise.all(
    tables.map((table) =>
      db
        .selectFrom(table)
        .selectAll()
        .where('tenant_id', '=', otherTenantId)
        // PostgreSQL may read the rows by another index once it knows more of them.
        .orderBy(sql.join(keyOf(table).map((column) => sql.ref(column))))
        .execute(),
    ),
  );
}

const roles = [7, 801, 808];
const orgs = [1, 901, 2, 909, bigOrg.id];
const stores = ['S001', 'X002', 'S003', 'nowhere'];
const users = [1, Number(theirUsers.get('theirs')), 2, 99];
const usernames = ['same', 'theirs', 'own', 'login', 'nobody'];
const texts = ['Same', 'Theirs'];

/** Values to try in each field of any operation. The first is used in calls that try another field. */
const valuesOf: Readonly<Record<string, readonly unknown[]>> = {
  'create-user username': ['same', 'theirs-2', 'new'],
  'batch-users username': ['same', 'theirs-3', 'own', 'newer'],
  'delete-org id': orgs.toReversed(),
  'role id': roles,
  'org id': orgs,
  'store code': stores,
  'user id': users,
  user_id: users,
  username: usernames,
  role_id: roles,
  org_id: orgs,
  parent_id: orgs,
  store_code: stores,
  store_codes: [['S001'], ['X002'], ['S001', 'X002', 'nowhere'], []],
  cursor: [theirCursor, ''],
  app_id: [applications.main.appId, applications.other.appId, 'nobody'],
  operation: ['create-user', 'batch-update-user-stores'],
  search: ['same', 'theirs'],
  department: texts,
  unique_code: ['same', 'theirs'],
  'role code': ['SR', 'Theirs'],
  password: ['right'],
  password_hash: ['$argon2id$'],
  if_revision: [1, 5],
  ...Object.fromEntries(
    ['real_name', 'nickname', 'name', 'address', 'description', 'ext_info', 'avatar', 'email', 'phone'].map(
      (name) => [name, texts],
    ),
  ),
  gender: [1],
  order: [1],
  system_id: [9],
  limit: [1],
  since: [0],
  until: [0],
  updated_since: [0],
  include_children: [true],
  force: [true],
  dry_run: [true],
  atomic: [false],
  unbound: ['role', 'org', 'store'],
  status: ['active', 'disabled'],
};

interface Schemed {
  readonly type?: string;
  readonly items?: Schemed;
  readonly properties?: Readonly<Record<string, Schemed>>;
  readonly required?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns a call with the required fields, and every variation of one field. */
function variationsOf(operation: Operation, schema: Schemed | undefined): Fields[] {
  const properties = Object.entries(schema?.properties ?? {});
  const triedWith = (name: string, field: Schemed): readonly unknown[] =>
    field.items?.properties === undefined
      ? valuesFor(name, operation)
      : variationsOf(operation, field.items).map((item) => [item]);
  const needed = neededFields(schema);
  const base = Object.fromEntries(
    properties
      .filter(([name]) => needed.includes(name))
      .map(([name, field]) => [name, triedWith(name, field)[0]]),
  );
  const changed = properties.flatMap(([name, field]) =>
    triedWith(name, field).map((value) => ({ ...base, [name]: value })),
  );
  return [base, ...changed, ...changed.flatMap(byUsernameAlone)];
}

/** Returns the required fields, and an id where either an id or a username must be given. */
function neededFields({ properties = {}, required = [] }: Schemed = {}): readonly string[] {
  const byEither = 'username' in properties && !required.includes('username');
  return byEither ? [...required, 'id', 'user_id'] : required;
}

function byUsernameAlone({ id, user_id, ...rest }: Fields): Fields[] {
  return (id ?? user_id) !== undefined && rest.username !== undefined ? [rest] : [];
}

function valuesFor(name: string, { name: operation, path }: Operation): readonly unknown[] {
  const [kind = 'user'] = /role|org|store/.exec(path.replace('/user', '')) ?? [];
  const values = valuesOf[`${operation} ${name}`] ?? valuesOf[`${kind} ${name}`] ?? valuesOf[name];
  assert(values, `the field ${name} is tried with nothing: say above what it may name`);
  return values;
}

type Call = readonly [method: string, target: string, body?: Fields];

function callsOf(operation: Operation): Call[] {
  const { method, path, query, body } = operation;
  if (body !== undefined) return variationsOf(operation, body).map((fields) => [method, path, fields]);
  return variationsOf(operation, query).map((fields) => {
    const parameters = Object.entries(fields).map(([name, value]) => [name, String(value)]);
    return [method, `${path}?${new URLSearchParams(parameters)}`];
  });
}

/** Operations that run last, because they create or remove the entries that the others are called with. */
const runsLast = [
  /^delete-user$/,
  /^batch-/,
  /^create-user$/,
  /^delete-(role|org|store)$/,
  /^(create-(role|org|store)|upsert-stores)$/,
];

const inOrder = (Object.values(operations) as Operation[]).toSorted((a, b) => rankOf(a) - rankOf(b));

function rankOf({ name }: Operation): number {
  return runsLast.findIndex((names) => names.test(name));
}

/** Returns all that a caller sees of an answer, except the id of the request. */
function seenOf({ status, headers, text }: Answer) {
  return { status, etag: headers.etag, text: text.replaceAll(/"request_id":"[^"]+"/g, '') };
}

function describe(call: Call): string {
  return JSON.stringify(call, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

for (const operation of inOrder) {
  test(`${operation.name} answers as if no other tenant existed`, async () => {
    let succeeded = 0;
    for (const call of callsOf(operation)) {
      const answer = await crowded.call(...call);
      assert.deepEqual(seenOf(answer), seenOf(await alone.call(...call)), describe(call));
      if (answer.envelope.code === 0) succeeded += 1;
    }
    assert(succeeded > 0, 'a call that succeeds is among those tried');
  });
}

test('no call has changed the other tenant', async () => {
  assert.deepEqual(await rowsOfOtherTenant(crowded), theirsBefore);
});
