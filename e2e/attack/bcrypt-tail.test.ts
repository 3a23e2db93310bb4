import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';

/** Made by the C library's crypt from 72 letters, which is as far as bcrypt reads. */
const bcryptOf72 = '$2b$04$abcdefghijklmnopqrstuubzadhGtS2zEF.gu0yd0opP6cVzb.e0i';
const right = 'x'.repeat(72);

describeOnEachEngine((provision) => {
  test('72 right bytes and a tail never become the new password', async () => {
    await using stack = new AsyncDisposableStack();
    const directory = await provision(0);
    stack.defer(() => directory.remove());
    const credentials = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    stack.defer(() => server.kill());
    const client = stack.use(new SignedClient(server.url, credentials));
    const username = 'imported';
    const check = async (password: string) =>
      (await client.call('POST', '/user/password/check', { username, password })).code;
    const imported = { users: [{ username, password_hash: bcryptOf72 }] };
    assert.equal((await client.call('POST', '/users/batch', imported)).code, 0);
    for (const tail of ['of the attacker', 'é', '\u0000']) await check(`${right}${tail}`);
    assert.equal(await check(right), 0, 'the right password is still the password');
    // The right password has replaced the hash by one that covers all bytes.
    assert.notEqual(await check(`${right}of the attacker`), 0);
    assert.equal(await check(right), 0);
  });
});
