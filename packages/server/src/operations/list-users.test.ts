import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bigOrg, bigRole, foreign, org, role, storeCodes } from '../../test/sample-directory.ts';
import { applications, type Credentials, startTestServer } from '../../test/test-server.ts';

const server = await startTestServer();
after(() => server.close());

const dayMs = 24 * 60 * 60 * 1000;

const names = [
  'Anna Meyer',
  'Bob "the rep" Stone',
  '张伟',
  'José 🦜 Núñez',
  'NEAR(a b) AND -x OR y*',
  '100%_\\[x]^',
  '𞤀𞤁𞤂',
];
const ids: number[] = [];
for (const [index, real_name] of names.entries()) {
  server.nowMs += 1000;
  ids.push(
    await server.createUser(`list.${index}`, { real_name, department: index % 2 === 0 ? 'Even' : 'Odd' }),
  );
}
const foreignId = await server.createUser('list.foreign', { real_name: 'Anna Foreign' }, applications.other);
server.nowMs += 1000;
await server.succeed('POST', '/user/role', { user_id: ids[0], role_id: bigRole.id });
await server.succeed('POST', '/user/role', { user_id: ids[1], role_id: role.id });
await server.succeed('POST', '/user/org', { user_id: ids[1], org_id: bigOrg.id });
await server.succeed('POST', '/user/store', { user_id: ids[2], store_code: storeCodes[0] });

interface Listed {
  readonly users: readonly { readonly id: number; readonly updated_at: number }[];
  readonly next_cursor: string;
}

async function list(query: Record<string, string | number>, as?: Credentials): Promise<Listed> {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const answer = await server.succeed('GET', `/users?${parameters.join('&')}`, undefined, as && { as });
  return answer.envelope.data as Listed;
}

async function found(query: Record<string, string | number>, as?: Credentials): Promise<number[]> {
  return (await list(query, as)).users.map(({ id }) => id);
}

test('an entry has the fields of the query, with status, revision and times', async () => {
  const [entry] = (await list({ search: 'rep" stone' })).users;
  assert.deepEqual(entry, {
    ...(await server.queryUser(ids[1] ?? 0)),
    status: 'active',
    revision: 3,
    created_at: server.nowMs - 6000,
    updated_at: server.nowMs,
  });
});

test('ids beyond 2^53 keep every digit', async () => {
  const { text } = await server.succeed('GET', '/users?search=stone');
  assert(text.includes('"orgs":[{"id":9223372036854775807,"name":"North","parent_id":1}]'), text);
  const byRole = await server.succeed('GET', `/users?role_id=${bigRole.text}`);
  assert(byRole.text.includes('"roles":[{"id":9007199254740993,"name":"Manager"'), byRole.text);
  assert.deepEqual(await found({ role_id: bigRole.text }), [ids[0]]);
});

test('pages follow each other by id, and the cursor after the last one is empty', async () => {
  for (const limit of [1, 2, 3, 5, 6, 7, 500]) {
    const seen: number[] = [];
    let cursor = '';
    do {
      const page = await list({ limit, cursor });
      assert.equal(page.users.length, Math.min(limit, ids.length - seen.length));
      seen.push(...page.users.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== '');
    assert.deepEqual(seen, ids, `limit ${limit}`);
  }
});

const filtered: readonly (readonly [Record<string, string | number>, readonly number[]])[] = [
  [{ role_id: role.text }, [1]],
  [{ org_id: org.text }, []],
  [{ org_id: org.text, include_children: 'true' }, [1]],
  [{ org_id: org.text, include_children: 'false' }, []],
  [{ include_children: 'false', role_id: role.text }, [1]],
  [{ org_id: bigOrg.text }, [1]],
  [{ store_code: storeCodes[0] }, [2]],
  [{ store_code: storeCodes[1] }, []],
  [{ department: 'Odd' }, [1, 3, 5]],
  [{ department: 'odd' }, []],
  [{ unbound: 'role' }, [2, 3, 4, 5, 6]],
  [{ unbound: 'org' }, [0, 2, 3, 4, 5, 6]],
  [{ unbound: 'store', department: 'Even' }, [0, 4, 6]],
  [{ status: 'active', role_id: role.text }, [1]],
  [{ status: 'disabled' }, []],
];

for (const [query, expected] of filtered) {
  test(`the list of ${new URLSearchParams(query as Record<string, string>)} has exactly the users who match every filter`, async () => {
    assert.deepEqual(
      await found(query),
      expected.map((index) => ids[index]),
    );
  });
}

const searched: readonly (readonly [search: string, expected: readonly number[]])[] = [
  ['meyer', [0]],
  ['ANNA M', [0]],
  ['list.3', [3]],
  ['张伟', [2]],
  ['张', [2]],
  ['伟', [2]],
  ['josé', [3]],
  ['JOSÉ', [3]],
  ['jose', []],
  ['NÚÑ', [3]],
  ['ñ', [3]],
  ['🦜', [3]],
  ['é 🦜 n', [3]],
  ['"', [1]],
  ['"the', [1]],
  ['"" OR "', []],
  ['NEAR(a b)', [4]],
  ['near(', [4]],
  [') AND -', [4]],
  ['AND', [4]],
  [' OR ', [4]],
  ['*', [4]],
  ['y*', [4]],
  ['-x', [4]],
  ['text:anna', []],
  ['^', [5]],
  ['%_\\', [5]],
  ['[x]', [5]],
  ['[', [5]],
  [']', [5]],
  ['𞤢𞤣𞤤', [6]],
  ['𞤣𞤤', [6]],
  ['%', [5]],
  ['_', [5]],
  ['?', []],
  ['a*r', []],
  ['.*', []],
  ['\\', [5]],
  ['meyer\nbob', []],
];

for (const [search, expected] of searched) {
  test(`a search for ${JSON.stringify(search)} finds the literal text, and treats nothing as syntax`, async () => {
    assert.deepEqual(
      await found({ search }),
      expected.map((index) => ids[index]),
    );
  });
}

test('a time in seconds is 1001, and the message has it in milliseconds', async () => {
  const seconds = Math.floor(server.nowMs / 1000);
  for (const [path, name] of [
    ['/users', 'updated_since'],
    ['/audit', 'since'],
    ['/audit', 'until'],
  ] as const) {
    for (const value of [1_000_000_000, seconds, 20_000_000_000]) {
      const message = `^${name} must be in milliseconds; ${value} looks like seconds: send ${value}000$`;
      await server.refuse(1001, new RegExp(message), ['GET', `${path}?${name}=${value}`]);
    }
    for (const value of [0, 5, -1, 999_999_999, 20_000_000_001, server.nowMs, server.nowMs + dayMs])
      await server.succeed('GET', `${path}?limit=1&${name}=${value}`);
  }
});

test('a date in digits or as text is 1001, and the message has its beginning in milliseconds', async () => {
  const midnight = Date.UTC(2026, 10, 30);
  const evening = Date.UTC(2026, 10, 30, 18, 45, 12);
  const dates = {
    20261130: midnight,
    202611301845: evening - 12_000,
    20261130184512: evening,
    20261130184512344: evening + 344,
    '2026-11-30': midnight,
    '2026-11-30T18:45:12Z': evening,
    '2026-11-30T18:45:12.345Z': evening + 345,
    '2026-11-30T20:45:12%2B02:00': evening,
    '2026-11-30T20:45:12%2002:00': evening,
    '2026-11-30T16:45:12-0200': evening,
    '2027-1-3': Date.UTC(2027, 0, 3),
    '2026/11/3%2018:45': Date.UTC(2026, 10, 3, 18, 45),
    '2026-11-30%2018:45:12': evening,
    '2026/11/30': midnight,
  };
  for (const [path, name] of [
    ['/users', 'updated_since'],
    ['/audit', 'since'],
    ['/audit', 'until'],
  ] as const) {
    for (const [value, ms] of Object.entries(dates)) {
      const end = `looks like a date: send ${ms}, which is ${new Date(ms).toISOString()}`;
      const shown = /^\d+$/.test(value) ? value : JSON.stringify(decodeURIComponent(value));
      const message = `${name} must be in milliseconds; ${shown} ${end}`;
      await server.refuse(1001, new RegExp(`^${RegExp.escape(message)}$`), [
        'GET',
        `${path}?${name}=${value}`,
      ]);
    }
    // Neither the calendar nor the clock has these.
    for (const value of [20261131, 20261301, 202611302460, 19991231])
      await server.succeed('GET', `${path}?limit=1&${name}=${value}`);
    for (const value of ['2026-11-31', '2026-13-1', 'Mon, 30 Nov 2026 18:45:12 GMT', 'now'])
      await server.refuse(
        1001,
        new RegExp(`must be an integer in decimal digits, in Unix milliseconds; it is "${value}"$`),
        ['GET', `${path}?${name}=${encodeURIComponent(value)}`],
      );
  }
  await server.refuse(1001, /^role_id must be an integer in decimal digits; it is "2026-11-30"$/, [
    'GET',
    '/users?role_id=2026-11-30',
  ]);
});

test('a time in microseconds or nanoseconds is 1001, and the message has it in milliseconds', async () => {
  const millisecond = BigInt(server.nowMs);
  for (const [path, name] of [
    ['/users', 'updated_since'],
    ['/audit', 'since'],
    ['/audit', 'until'],
  ] as const) {
    for (const [unit, value] of [
      ['microseconds', millisecond * 1000n + 478n],
      ['nanoseconds', millisecond * 1_000_000n + 478_123n],
    ] as const) {
      const message = `^${name} must be in milliseconds; ${value} looks like ${unit}: send ${millisecond}$`;
      await server.refuse(1001, new RegExp(message), ['GET', `${path}?${name}=${value}`]);
    }
  }
});

test('a list that begins more than a day ahead of the server is 1001; it may end at any time', async () => {
  const allowed = server.nowMs + dayMs;
  for (const [path, name] of [
    ['/users', 'updated_since'],
    ['/audit', 'since'],
  ] as const) {
    for (const value of [BigInt(allowed + 1), 100_000_000_000_000n, 2n ** 63n - 1n]) {
      const message = `^${name} is ${value}, more than a day ahead of the server's clock, which is at ${server.nowMs};`;
      await server.refuse(1001, new RegExp(message), ['GET', `${path}?${name}=${value}`]);
    }
  }
  for (const value of [BigInt(allowed + 1), 100_000_000_000_000n, 2n ** 63n - 1n])
    await server.succeed('GET', `/audit?until=${value}`);
});

test('updated_since alone orders by the last change, so a list continues where changes happen', async () => {
  const all = await list({ updated_since: 0 });
  assert.deepEqual(
    all.users.map(({ id }) => id),
    [3, 4, 5, 6, 0, 1, 2].map((index) => ids[index]),
  );
  const first = await list({ updated_since: 0, limit: 2 });
  const second = await list({ updated_since: 0, limit: 2, cursor: first.next_cursor });
  assert.deepEqual([...first.users, ...second.users], all.users.slice(0, 4));
  assert.deepEqual(
    await found({ updated_since: server.nowMs }),
    [0, 1, 2].map((index) => ids[index]),
  );
  assert.deepEqual(await found({ updated_since: server.nowMs + 1 }), []);
  assert.deepEqual(await found({ updated_since: server.nowMs, department: 'Even' }), [ids[0], ids[2]]);
});

test('a cursor from before updated_since returns nothing older than it', async () => {
  const { next_cursor } = await list({ updated_since: 0, limit: 1 });
  const query = { updated_since: server.nowMs, cursor: next_cursor };
  assert.deepEqual(
    await found(query),
    [0, 1, 2].map((index) => ids[index]),
  );
});

const refused: readonly (readonly [label: string, query: string, message: RegExp])[] = [
  ['an invented cursor', 'cursor=abc', /^cursor must be the next_cursor/],
  ['a cursor that is not Base64', 'cursor=%C3%A9', /^cursor/],
  ['a cursor of texts', `cursor=${encodeCursor(['a'])}`, /^cursor/],
  ['a cursor beyond int64', `cursor=${encodeCursor([{ n: '9223372036854775808' }])}`, /^cursor/],
  ['a cursor without an integer', `cursor=${encodeCursor([{ n: 'x' }])}`, /^cursor/],
  ['a cursor that is not an array', `cursor=${encodeCursor({ n: '1' })}`, /^cursor/],
  ['the cursor of another order', `cursor=${encodeCursor([{ n: '1' }, { n: '1' }])}`, /^cursor/],
  ['a cursor by id for a list by change', `updated_since=0&cursor=${encodeCursor([{ n: '1' }])}`, /^cursor/],
  ['a limit of 0', 'limit=0', /^limit must be an integer from 1 to 500; it is 0$/],
  ['a limit of 501', 'limit=501', /^limit must be an integer from 1 to 500; it is 501$/],
  ['a search of 101 characters', `search=${'x'.repeat(101)}`, /^search must be at most 100 characters/],
  ['another unbound', 'unbound=all', /^unbound must be one of role, org, store; it is "all"$/],
  ['another status', 'status=gone', /^status must be one of active, disabled; it is /],
  [
    'a word for include_children',
    'org_id=1&include_children=yes',
    /^include_children must be true or false; it is /,
  ],
  [
    'include_children without org_id',
    'include_children=true',
    /^include_children needs org_id: send that too, or leave include_children out$/,
  ],
];

for (const [label, query, message] of refused) {
  test(`${label} is 1001`, async () => {
    await server.refuse(1001, message, ['GET', `/users?${query}`]);
  });
}

function encodeCursor(parts: unknown): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

test('filters by a missing role, organization or store are 1201, 1301 and 1401', async () => {
  await server.refuse(1201, /4711/, ['GET', '/users?role_id=4711']);
  await server.refuse(1301, /4711/, ['GET', '/users?org_id=4711']);
  await server.refuse(1401, /^the store does not exist: "none"$/, ['GET', '/users?store_code=none']);
});

test("another tenant's users appear in no list and no search, and its roles, organizations and stores do not exist", async () => {
  assert.deepEqual(await found({ search: 'foreign' }), []);
  assert.deepEqual(await found({ search: 'anna' }), [ids[0]]);
  assert.deepEqual(await found({}, applications.other), [foreignId]);
  assert.deepEqual(await found({ search: 'anna' }, applications.other), [foreignId]);
  assert.deepEqual(await found({ updated_since: 0 }, applications.other), [foreignId]);
  await server.refuse(1201, /role/, ['GET', `/users?role_id=${foreign.roleId}`]);
  await server.refuse(1301, /organization/, ['GET', `/users?org_id=${foreign.orgId}`]);
  await server.refuse(1401, /store/, ['GET', `/users?store_code=${foreign.storeCode}`]);
});

test('with another tenant’s cursor, a tenant sees only its own users', async () => {
  const { next_cursor } = await list({ limit: 2 });
  assert.deepEqual(await found({ cursor: next_cursor }, applications.other), [foreignId]);
  const late = encodeCursor([{ n: String(foreignId) }]);
  assert.deepEqual(await list({ cursor: late }, applications.other), { users: [], next_cursor: '' });
  const byChange = (await list({ updated_since: 0, limit: 1 })).next_cursor;
  assert.deepEqual(await found({ updated_since: 0, cursor: byChange }, applications.other), [foreignId]);
});

test('an application with the scope read may list users', async () => {
  assert.deepEqual(await found({ limit: 1 }, applications.reader), [ids[0]]);
});

test('a disabled user is listed as such', async () => {
  const id = await server.createUser('list.disabled');
  await server.db.updateTable('user').set({ status: 'disabled' }).where('id', '=', BigInt(id)).execute();
  const { users } = await list({ status: 'disabled' });
  assert.deepEqual(
    users.map(({ id, status }: { id: number; status?: string }) => [id, status]),
    [[id, 'disabled']],
  );
  assert(!(await found({ status: 'active' })).includes(id));
  await server.db.deleteFrom('user').where('id', '=', BigInt(id)).execute();
  assert.deepEqual(await found({ status: 'disabled' }), []);
});
