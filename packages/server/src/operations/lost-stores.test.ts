import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deadlineOfWrite } from '../../test/deadline-of-write.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { Deadline } from '../time/deadline.ts';

const server = await startTestServer();
after(() => server.close());

const codes = Array.from({ length: 201 }, (_, index) => `L${index}`);

before(async () => {
  const stores = codes.map((code) => ({ code, name: 'Store', address: '' }));
  await server.succeed('POST', '/stores', { stores });
});

/** The turns of its application that 201 rows cost. The time for them follows from the rows too; see `call-deadline.test.ts`. */
const costOf201Rows = 5;

/** Creates a user with this many stores, and returns its id. */
const createUser = (username: string, stores: number) =>
  server.createUser(username, { store_codes: codes.slice(0, stores) });

/** Sends a write, and returns its deadline. */
function deadlineOf(method: 'DELETE' | 'POST', target: string, body?: object): Promise<Deadline | undefined> {
  return deadlineOfWrite(server.database, () => server.call(method, target, body));
}

test('removing a user with more than 200 stores gets more time, and no other write waits for all of it', async () => {
  const id = await createUser('lost.id', 201);
  await createUser('lost.name', 201);
  for (const target of [`/user?user_id=${id}`, '/user?username=lost.name']) {
    const deadline = await deadlineOf('DELETE', target);
    assert.deepEqual([deadline?.bulk, deadline?.cost], [true, costOf201Rows], target);
  }
  await server.refuse(1101, /lost\.name/, ['GET', '/user?username=lost.name']);
});

test('replacing more than 200 stores of a user by few, or few by many, gets more time', async () => {
  await createUser('lost.all', 201);
  for (const store_codes of [[], codes]) {
    const deadline = await deadlineOf('POST', '/user/stores', { username: 'lost.all', store_codes });
    assert.deepEqual([deadline?.bulk, deadline?.cost], [true, costOf201Rows]);
  }
});

test('a write that takes few stores or none, or whose user is unknown, is written together with others', async () => {
  await createUser('lost.few', 200);
  await createUser('lost.kept', 201);
  for (const [method, target, body] of [
    ['POST', '/user/stores', { username: 'lost.kept', phone: '1' }],
    ['POST', '/user/stores', { username: 'lost.kept', store_codes: codes.slice(1) }],
    ['POST', '/user/stores', { username: 'lost.new', store_codes: codes.slice(1) }],
    ['POST', '/user/stores', { username: 'lost.few', store_codes: [] }],
    ['DELETE', '/user?username=lost.few', undefined],
    ['DELETE', '/user?user_id=999999', undefined],
  ] as const) {
    const deadline = await deadlineOf(method, target, body);
    assert.equal(deadline?.bulk, false, target);
    assert(deadline.remainingMs <= 10_000, target);
  }
});
