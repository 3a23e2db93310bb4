import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '../../test/test-server.ts';
import { newUsernameProblem } from './new-username.ts';

const server = await startTestServer();
after(() => server.close());

const refused = [
  0x200b, 0x2060, 0xfeff, 0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067,
  0x2068, 0x2069,
];

for (const codePoint of refused) {
  const name = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  test(`no operation creates a user with ${name} in its username, and the message names it`, async () => {
    const username = `a${String.fromCodePoint(codePoint)}b`;
    const message = new RegExp(`^username has the invisible character ${name.replace('+', '\\+')}, which`);
    await server.refuse(1001, message, ['POST', '/user', { username, password: 'p' }]);
    await server.refuse(1001, message, ['POST', '/user/stores', { username }]);
    for (const dry_run of [true, false]) {
      const { envelope } = await server.succeed('POST', '/users/batch', { users: [{ username }], dry_run });
      const { failed, results } = envelope.data as { failed: number; results: [{ message: string }] };
      assert.equal(failed, 1);
      assert.match(
        results[0].message,
        new RegExp(`^users\\[0\\]\\.username has the .* U\\+${name.slice(2)}`),
      );
    }
  });
}

test('joiners, which some languages need, and other scripts are allowed', async () => {
  for (const username of ['نامه\u200cای', 'क्\u200dष', 'שלום', '张伟', '🦜']) {
    assert.equal(newUsernameProblem(username), undefined);
    await server.createUser(username);
  }
});

test('an existing user with such a username stays usable in every operation', async () => {
  const username = 'old\u200bname';
  const id = await server.createUser('old-name');
  await server.db.updateTable('user').set({ username }).where('id', '=', BigInt(id)).execute();
  await server.succeed('POST', '/user/stores', { username, phone: '1', store_codes: ['S001'] });
  await server.succeed('PUT', '/user', { username, phone: '2', password: 'right' });
  const { envelope } = await server.succeed('POST', '/users/batch', { users: [{ username, phone: '3' }] });
  assert.equal((envelope.data as { updated: number }).updated, 1);
  await server.succeed('POST', '/user/password/check', { username, password: 'right' });
  assert.equal((await server.queryUser(id)).phone, '3');
  await server.succeed('GET', `/user?username=${encodeURIComponent(username)}`);
  await server.succeed('PUT', '/user/status', { username, status: 'disabled' });
  await server.succeed('DELETE', `/user?username=${encodeURIComponent(username)}`);
});
