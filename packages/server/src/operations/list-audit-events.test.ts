import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { auditedOperations, auditFieldsOfEveryScope, operations } from '@fieldroster/contract';
import { bigRole, role } from '../../test/sample-directory.ts';
import { applications, type Credentials, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

interface Event {
  readonly id: number;
  readonly at: number;
  readonly app_id: string;
  readonly operation: string;
  readonly user_id: number;
  readonly request_id: string;
  readonly changes: unknown;
}

const startMs = server.nowMs;
const first = await server.createUser('audit.first', { real_name: 'First "one" 🦜' });
const second = await server.createUser('audit.second');
await server.createUser('audit.foreign', {}, applications.other);
server.nowMs += 1000;
const bound = await server.succeed('POST', '/user/role', { user_id: first, role_id: role.id });
server.nowMs += 1000;
const replaced = await server.succeed('POST', '/user/role', { user_id: first, role_id: bigRole.id });

interface Listed {
  readonly events: readonly Event[];
  readonly next_cursor: string;
}

async function list(query: Record<string, string | number>, as?: Credentials): Promise<Listed> {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const answer = await server.succeed('GET', `/audit?${parameters.join('&')}`, undefined, as && { as });
  return answer.envelope.data as Listed;
}

async function operationsIn(query: Record<string, string | number>): Promise<string[]> {
  return (await list(query)).events.map(({ operation, user_id }) => `${operation} ${user_id}`);
}

const written = [
  `bind-user-role ${first}`,
  `bind-user-role ${first}`,
  `batch-update-user-stores ${second}`,
  `batch-update-user-stores ${first}`,
];

test('an event says when, who, what, on whom, in which request, and what changed', async () => {
  const { events } = await list({ limit: 2 });
  const [newest, before] = events;
  assert.deepEqual(before, {
    id: before?.id,
    at: startMs + 1000,
    app_id: applications.main.appId,
    operation: 'bind-user-role',
    user_id: first,
    request_id: bound.requestId,
    changes: { role_id: { from: null, to: 7 } },
  });
  assert.equal(newest?.request_id, replaced.requestId);
});

test('integers beyond 2^53 inside changes keep every digit', async () => {
  const { text } = await server.succeed('GET', '/audit?limit=1');
  assert(text.includes('"changes":{"role_id":{"from":7,"to":9007199254740993}}'), text);
});

test('changes of any shape come back as they were written', async () => {
  const changes = {
    text: 'a"\\\n🦜',
    list: [1, [2n ** 63n - 1n], {}],
    none: null,
    deep: { yes: true, part: 1.5 },
  };
  const userId = 4711n;
  await server.database.write(server.tenantId, undefined, async () => ({
    result: undefined,
    audit: { operation: 'copy', userId, changes: { ...changes, toJSON: 'x', ['__proto__']: 1 } },
  }));
  const { text } = await server.succeed('GET', `/audit?user_id=${userId}`);
  const expected =
    '"changes":{"text":"a\\"\\\\\\n🦜","list":[1,[9223372036854775807],{}],"none":null,"deep":{"yes":true,"part":1.5},"toJSON":"x","__proto__":1}';
  assert(text.includes(expected), text);
});

test("the operator's rows have neither application nor request, and 0 for no user", async () => {
  const { events } = await list({ operation: 'app create' });
  assert(events.length > 0);
  for (const { app_id, request_id, user_id } of events)
    assert.deepEqual([app_id, request_id, user_id], ['', '', 0]);
});

test('the list is newest first, page by page, until the cursor is empty', async () => {
  const all = (await list({ limit: 500 })).events.map(({ id }) => id);
  assert.deepEqual(
    all,
    all.toSorted((a, b) => b - a),
  );
  for (const limit of [1, 3, all.length]) {
    const seen: number[] = [];
    let cursor = '';
    do {
      const page = await list({ limit, cursor });
      assert.equal(page.events.length, Math.min(limit, all.length - seen.length));
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== '');
    assert.deepEqual(seen, all, `limit ${limit}`);
  }
});

test('each filter returns only the events that match it', async () => {
  const app_id = applications.main.appId;
  assert.deepEqual(await operationsIn({ app_id }), written);
  assert.deepEqual(await operationsIn({ app_id: applications.reader.appId }), []);
  assert.deepEqual(await operationsIn({ app_id: applications.other.appId }), []);
  assert.deepEqual(await operationsIn({ user_id: second }), [written[2]]);
  assert.deepEqual(await operationsIn({ user_id: first, operation: 'bind-user-role' }), written.slice(0, 2));
  assert.deepEqual(await operationsIn({ app_id, since: startMs + 1000 }), written.slice(0, 2));
  assert.deepEqual(await operationsIn({ app_id, since: startMs + 1000, until: startMs + 2000 }), [
    written[1],
  ]);
  assert.deepEqual(await operationsIn({ app_id, until: startMs + 1000 }), written.slice(2));
  assert.deepEqual(await operationsIn({ operation: 'delete-org' }), []);
});

test('every operation that the trail may hold is a filter, and another name is 1001', async () => {
  for (const operation of auditedOperations) await list({ operation });
  for (const operation of ['user-erase', 'delete-users', 'create_user', 'query-user', 'Create-User']) {
    const message = new RegExp(
      `^operation must be one of create-user, .*, user erase, .*; it is "${operation}"$`,
    );
    await server.refuse(1001, message, ['GET', `/audit?operation=${operation}`]);
  }
});

test("another tenant's events are never listed, not even with its cursor", async () => {
  const { next_cursor } = await list({ limit: 1 });
  for (const query of [{}, { cursor: next_cursor }]) {
    const { events } = await list({ limit: 500, ...query }, applications.other);
    const apps = new Set(events.map(({ app_id }) => app_id));
    assert.deepEqual(apps.difference(new Set(['', applications.other.appId])), new Set());
    assert(events.every(({ user_id }) => user_id !== first && user_id !== second));
  }
  const foreign = await list({ app_id: applications.main.appId }, applications.other);
  assert.deepEqual(foreign, { events: [], next_cursor: '' });
});

test('the scopes read and write see only values that a query of the user returns, and only while the user exists', async () => {
  const writer = { appId: 'app-writer', appSecret: 'the-secret-of-app-writer' };
  await server.issueApplication('write', writer);
  const fields = {
    real_name: 'Seen',
    phone: '555-0100',
    ext_info: 'hidden',
    password: 'p',
    store_codes: ['S001'],
  };
  const id = await server.createUser('audit.scopes', fields);
  await server.succeed('POST', '/user/role', { user_id: id, role_id: role.id });
  await server.succeed('PUT', '/user/status', { id, status: 'disabled' });
  await server.succeed('PUT', '/store', { code: 'S001', name: 'Renamed' });
  const changesFor = async (as: Credentials) =>
    (await list({ limit: 4 }, as)).events.map(({ changes }) => changes);

  await changesFor(applications.main);
  const all = await changesFor(applications.main);
  assert.deepEqual(all.at(-1), {
    username: { to: 'audit.scopes' },
    real_name: { to: 'Seen' },
    phone: { to: '555-0100' },
    ext_info: { to: 'hidden' },
    password: 'set',
    stores: { added: ['S001'] },
  });
  for (const as of [applications.reader, writer]) {
    assert.deepEqual(await changesFor(as), [
      { code: {}, name: {} },
      { status: {} },
      { role_id: { from: null, to: 7 } },
      {
        username: { to: 'audit.scopes' },
        real_name: { to: 'Seen' },
        phone: { to: '555-0100' },
        ext_info: {},
        password: {},
        stores: {},
      },
    ]);
  }
  assert.deepEqual(
    await changesFor(applications.main),
    all,
    'the answer of one scope is not given to another',
  );

  await server.succeed('DELETE', `/user?user_id=${id}`);
  for (const as of [applications.main, applications.reader, writer, applications.main]) {
    const { events } = await list({ user_id: id }, as);
    const text = JSON.stringify(events.map(({ changes }) => changes));
    assert.equal(text.includes('555-0100'), as === applications.main, text);
    assert.equal(text.includes('hidden'), as === applications.main, text);
    assert.deepEqual(
      events.map(({ changes }) => Object.keys(changes as object)).at(-1),
      Object.keys(all.at(-1) as object),
    );
  }
});

test('every scope sees exactly the fields that a query of the user returns', () => {
  const { roles, orgs, ...fields } = operations.queryUser.data.properties;
  assert(roles !== undefined && orgs !== undefined);
  assert.deepEqual([...auditFieldsOfEveryScope].sort(), [...Object.keys(fields), 'org_id', 'role_id'].sort());
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['an invented cursor', 'cursor=abc', /^cursor must be the next_cursor/],
  ['a cursor of another list', `cursor=${encodeCursor([{ n: '1' }])}`, /^cursor/],
  ['a limit of 501', 'limit=501', /^limit must be an integer from 1 to 500; it is 501$/],
  [
    'a moment that is a date',
    'since=2026-01-01',
    /^since must be in milliseconds; "2026-01-01" looks like a date: send 1767225600000,/,
  ],
  ['an app_id of 65 characters', `app_id=${'x'.repeat(65)}`, /^app_id must be at most 64 characters/],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['GET', `/audit?${query}`]);
  });
}

function encodeCursor(parts: unknown): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

for (const { name, as, operation } of [
  { name: 'manage', as: applications.main, operation: 'claims reset' },
  { name: 'read', as: applications.reader, operation: 'migrate' },
])
  test(`large changes end a page early, with a cursor: scope ${name}`, async () => {
    const texts = Array.from({ length: 30_000 }, () => 'x'.repeat(100));
    for (let row = 0; row < 2; row += 1)
      await server.database.write(server.tenantId, undefined, async () => ({
        result: undefined,
        audit: { operation, changes: { texts } },
      }));
    const first = await list({ operation }, as);
    assert.equal(first.events.length, 1);
    const second = await list({ operation, cursor: first.next_cursor }, as);
    assert.deepEqual([second.events.length, second.next_cursor], [1, '']);
  });
