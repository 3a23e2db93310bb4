import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { role, storeCodes } from '../../test/sample-directory.ts';
import { startTestServer } from '../../test/test-server.ts';

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
  /^cursor must be the next_cursor that this operation returned, unchanged; to begin the list again, leave cursor out$/;

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
  for (const cursor of cursors.values())
    assert.deepEqual(readAsBefore(cursor), readAsBefore(toOldForm(cursor)));
});

type Parts = readonly (string | { readonly n: string })[];

function partsOf(cursor: string): Parts {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as Parts;
}

function toOldForm(cursor: string): string {
  const parts = partsOf(cursor).map((part) => (typeof part === 'string' ? part : { n: part.n }));
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Reads the key as the releases did that knew no names of lists. */
function readAsBefore(cursor: string): (string | bigint)[] {
  return partsOf(cursor).map((part) => (typeof part === 'string' ? part : BigInt(part.n)));
}
