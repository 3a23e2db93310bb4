import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { org, role, storeCodes } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';
import { toCursor } from './cursor.ts';

const server = await startTestServer();
after(() => server.close());

for (const username of ['a', 'b', 'c']) await server.createUser(username, { store_codes: [storeCodes[0]] });

/** Every signed list, with each of its orders. */
const lists = [
  '/users?',
  '/users?updated_since=0&',
  `/users?role_id=${role.text}&unbound=org&`,
  '/audit?',
  '/roles?',
  '/orgs?',
  '/stores?',
  `/store/users?store_code=${storeCodes[0]}&`,
];

async function cursorOf(list: string): Promise<string> {
  const { data } = (await server.succeed('GET', `${list}limit=1`)).envelope;
  return (data as { next_cursor: string }).next_cursor;
}

const cursors = new Map<string, string>();
for (const list of lists) {
  const cursor = await cursorOf(list);
  if (cursor !== '') cursors.set(list, cursor);
}

const operationOf = (list: string) => list.split('?')[0];

const refusal =
  /^cursor must be the next_cursor that this operation returned, unchanged, with the same filters and order; to begin the list again, leave cursor out$/;

test('the cursor of one operation is 1001 for every other one', async () => {
  assert(cursors.size >= 7);
  for (const [from, cursor] of cursors) {
    for (const list of lists.filter((other) => operationOf(other) !== operationOf(from))) {
      await server.refuse(1001, refusal, ['GET', `${list}cursor=${cursor}`]);
    }
    await server.succeed('GET', `${from}cursor=${cursor}`);
  }
});

test('the cursor of one order of the users is 1001 for the other', async () => {
  const [byId, byChange] = ['/users?', '/users?updated_since=0&'];
  await server.refuse(1001, refusal, ['GET', `${byId}cursor=${cursors.get(byChange)}`]);
  await server.refuse(1001, refusal, ['GET', `${byChange}cursor=${cursors.get(byId)}`]);
});

test('a cursor as earlier releases made them continues the same list', async () => {
  for (const [list, cursor] of cursors) {
    const old = toOldForm(cursor);
    assert.equal(old === cursor, operationOf(list) === '/stores', 'only the cursor of stores has no name');
    const rest = await server.succeed('GET', `${list}cursor=${cursor}`);
    assert.deepEqual((await server.succeed('GET', `${list}cursor=${old}`)).envelope, rest.envelope);
  }
});

test('an earlier release finds the position in a cursor of this one', () => {
  for (const key of [[5n], [1_767_225_600_000n, -(2n ** 63n)], ['N-001']])
    assert.deepEqual(readAsBefore(toCursor('list-roles', key)), key);
});

/** Filters of every index and search, which read on from the position in their own ways. */
const filters = [
  '',
  'search=a&',
  'search=abc&',
  'search=%E5%BC%A0&',
  `search=abc&org_id=${org.text}&include_children=true&`,
  `org_id=${org.text}&include_children=true&`,
  `org_id=${org.text}&`,
  `role_id=${role.text}&`,
  `store_code=${storeCodes[0]}&`,
  'department=D&',
  'unbound=role&',
  'unbound=org&',
  'unbound=store&search=b&',
  'status=disabled&',
  'status=active&search=b&',
  'updated_since=0&status=active&',
  'updated_since=0&status=disabled&',
  `updated_since=${server.nowMs}&unbound=role&`,
  'updated_since=-9223372036854775808&',
];

const extremes = [
  '9223372036854775807',
  '9223372036854775806',
  '9223372036854775807000',
  '4611686018427387904',
  '9007199254740993',
  '0',
  '-1',
  '-9223372036854775808',
  '',
  ' 1 ',
  '0x10',
];

test('a cursor at any place, with any filters and limit, gets a page or 1001', async () => {
  const targets = [
    ...filters.map((filter) => `/users?${filter}`),
    '/audit?',
    '/audit?operation=create-user&',
    '/audit?since=-9223372036854775808&until=9223372036854775807&',
    '/audit?since=0&until=-9223372036854775808&',
    '/roles?',
    '/orgs?',
    `/store/users?store_code=${storeCodes[0]}&`,
  ];
  for (const target of targets) {
    const isPair = target.startsWith('/audit') || target.includes('updated_since');
    for (const n of extremes) {
      for (const limit of [1, 500]) {
        for (const key of isPair
          ? [
              [{ n }, { n: '1' }],
              [{ n: '1' }, { n }],
              [{ n }, { n }],
            ]
          : [[{ n }]]) {
          const cursor = encode(key);
          const { envelope } = await server.call('GET', `${target}limit=${limit}&cursor=${cursor}`);
          assert([0, 1001].includes(envelope.code), `${target} ${JSON.stringify(key)}: ${envelope.message}`);
        }
      }
    }
  }
});

test('a cursor of any text continues with the stores after it, or is 1001', async () => {
  for (const text of ['', 'x'.repeat(1500), '\u{10ffff}', '\ud800', '\0', '\ufffe', "'; --", '%', '门店']) {
    const { envelope } = await server.call('GET', `/stores?limit=1&cursor=${encode([text])}`);
    assert([0, 1001].includes(envelope.code), `${JSON.stringify(text)}: ${envelope.message}`);
  }
});

test('a padded cursor is the same cursor, and one that is cut off, continued or too long is 1001', async () => {
  for (const [list, cursor] of cursors) {
    const rest = await server.succeed('GET', `${list}cursor=${cursor}`);
    const padded = await server.succeed('GET', `${list}cursor=${cursor}%3D%3D`);
    assert.deepEqual(padded.envelope, rest.envelope);
    for (const changed of [cursor.slice(0, -1), `${cursor}AAAA`, `${cursor}${cursor}`, `AAAA${cursor}`])
      await server.refuse(1001, refusal, ['GET', `${list}cursor=${changed}`]);
    const long = /^cursor must be at most 2048 characters; it has 2049$/;
    await server.refuse(1001, long, ['GET', `${list}cursor=${'A'.repeat(2049)}`]);
  }
});

test('every list takes a limit from 1 to 500', async () => {
  for (const list of lists) {
    for (const limit of [1, 500]) await server.succeed('GET', `${list}limit=${limit}`);
    for (const limit of [0, 501, -1, 2 ** 31]) {
      await server.refuse(1001, /^limit must be an integer from 1 to 500; it is /, [
        'GET',
        `${list}limit=${limit}`,
      ]);
    }
  }
});

const steps = Array.from({ length: 30 }, (_, index) => 1000 + index * 10);

for (const [list, path, key, keyOf] of [
  ['roles', '/role', 'id', (number: number) => number],
  ['orgs', '/org', 'id', (number: number) => number],
  ['stores', '/store', 'code', (number: number) => `Z${number}`],
] as const) {
  test(`the ${list} that stay are listed once each, whatever is added and removed between the pages`, async () => {
    const add = (number: number) => server.succeed('POST', path, { [key]: keyOf(number), name: 'N' });
    const stay = new Set(steps);
    for (const number of stay) await add(number);
    const seen: number[] = [];
    let cursor = '';
    do {
      const { data } = (await server.succeed('GET', `/${list}?limit=4&cursor=${cursor}`)).envelope;
      const page = data as { next_cursor: string } & Record<string, Record<string, unknown>[]>;
      cursor = page.next_cursor;
      const numbers = (page[list] ?? []).map((entry) => Number(String(entry[key]).replace('Z', '')));
      const own = numbers.filter((number) => number >= 1000 && number < 1300);
      seen.push(...own);
      const last = own.at(-1);
      if (last === undefined) continue;
      // The entry that the cursor names, and the next one.
      for (const number of [last, last + 10].filter((number) => stay.delete(number))) {
        await server.succeed('DELETE', `${path}?${key}=${keyOf(number)}`);
      }
      for (const number of [last - 5, last + 5]) await add(number);
    } while (cursor !== '');
    const found = seen.filter((number) => stay.has(number));
    assert.deepEqual(found, [...stay]);
    assert.equal(new Set(seen).size, seen.length);
  });
}

function encode(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

type Parts = readonly (string | { readonly n: string })[];

function partsOf(cursor: string): Parts {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Parts;
}

function toOldForm(cursor: string): string {
  const parts = partsOf(cursor).map((part) => (typeof part === 'string' ? part : { n: part.n }));
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads the key of a cursor in the form of releases that knew no names of lists. */
function readAsBefore(cursor: string): (string | bigint)[] {
  return partsOf(cursor).map((part) => (typeof part === 'string' ? part : BigInt(part.n)));
}
