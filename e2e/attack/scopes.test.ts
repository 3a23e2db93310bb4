import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueApplication } from '@fieldroster/server/admin';
import { describeOnEachEngine } from '../each-engine.ts';
import { openProvisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';

describeOnEachEngine((provision) => {
  test('no scope gives more than it should: disabled users stay, and the audit hides what only manage may see', async () => {
    await using stack = new AsyncDisposableStack();
    const directory = await provision(0);
    stack.defer(() => directory.remove());
    const opened = await openProvisioned(directory);
    const reads = await issueApplication(opened, { name: 'reads', tenant: 'default', scope: 'read' });
    await opened.database.close();
    const manages = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    stack.defer(() => server.kill());
    const [manager, writer, reader] = [manages, directory.credentials, reads].map((credentials) =>
      stack.use(new SignedClient(server.url, credentials)),
    ) as [SignedClient, SignedClient, SignedClient];
    const codeOf = async (client: SignedClient, method: string, target: string, content?: unknown) =>
      (await client.call(method, target, content)).code;
    const username = 'victim';
    const user = { username, password: 'right', phone: '555-0100', ext_info: 'hidden' };
    assert.equal(await codeOf(manager, 'POST', '/user/stores', user), 0);

    assert.equal(await codeOf(manager, 'PUT', '/user/status', { username, status: 'disabled' }), 0);
    assert.equal(await codeOf(writer, 'DELETE', `/user?username=${username}`), 1016);
    assert.notEqual(await codeOf(writer, 'POST', '/user', { username, password: 'of the attacker' }), 0);

    const audit = async (client: SignedClient) => JSON.stringify(await client.call('GET', '/audit?limit=50'));
    // The order matters: an answer that is kept for manage must not reach the others.
    const all = await audit(manager);
    assert.ok(all.includes('hidden') && all.includes('555-0100'), all);
    for (const client of [reader, writer]) {
      const seen = await audit(client);
      assert.ok(seen.includes('ext_info') && !seen.includes('hidden'), seen);
    }
    assert.equal(await codeOf(manager, 'DELETE', `/user?username=${username}`), 0);
    assert.ok((await audit(manager)).includes('555-0100'));
    for (const client of [reader, writer]) assert.ok(!(await audit(client)).includes('555-0100'));
  });
});
