import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { overriding } from '../../test/overriding.ts';
import { startTestServer } from '../../test/test-server.ts';
import type { Database } from '../database/database.ts';

/** Calls of the database for claims and for writes. Passwords are hashed between the two. */
const calls: string[] = [];

const server = await startTestServer({
  wrapDatabase(database) {
    const refuseCopy: Database['claims']['refuseCopy'] = (claim) => {
      calls.push('look');
      return database.claims.refuseCopy(claim);
    };
    const write: Database['write'] = (...given) => {
      calls.push('write');
      return database.write(...given);
    };
    return overriding(database, { write, claims: overriding(database.claims, { refuseCopy }) });
  },
});
after(() => server.close());

const id = await server.createUser('resent');
const password = 'a password';

for (const [method, target, body] of [
  ['POST', '/user', { username: 'first', password }],
  ['PUT', '/user', { id, password }],
  ['POST', '/user/stores', { username: 'resent', password }],
  ['POST', '/users/batch', { users: ['b1', 'b2', 'b3'].map((username) => ({ username, password })) }],
] as const) {
  test(`${method} ${target} looks for its claim once, and its copies are 1015 without a hash`, async () => {
    const text = JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json', ...server.sign(method, target, text).headers };
    const send = async () => (await server.send({ method, target, headers, body: text })).envelope.code;
    calls.length = 0;
    assert.deepEqual([await send(), calls], [0, ['look', 'write']]);
    for (let copies = 1; copies <= 10; copies += 1) assert.equal(await send(), 1015);
    assert.deepEqual(calls, ['look', 'write', ...Array.from({ length: 10 }, () => 'look')]);
  });
}

test('a write without a password looks for no claim', async () => {
  calls.length = 0;
  await server.succeed('PUT', '/user', { id, nickname: 'n' });
  await server.succeed('POST', '/users/batch', { users: [{ username: 'b4' }] });
  assert.deepEqual(calls, ['write', 'write']);
});
