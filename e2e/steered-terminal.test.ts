import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';
import { Terminal } from './terminal.ts';

test('JSON that a server sends cannot steer a terminal', async () => {
  const directory = await provisionDirectory(3);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const nickname = 'a\u009b31m\u0085\u202eb';
  try {
    const user = { username: 'mara', nickname, password: 'correct horse' };
    assert.equal((await client.call('POST', '/user', user)).code, 0);
    const { appId, appSecret } = directory.credentials;
    const target = ['--url', server.url, '--app-id', appId];
    for (const command of [
      ['call', 'GET', '/user?username=mara'],
      ['user', 'show', 'mara', '--json'],
      ['user', 'list', '--json'],
      ['user', 'export', '--columns', 'username,nickname'],
    ]) {
      const terminal = new Terminal([...command, ...target], { FIELDROSTER_APP_SECRET: appSecret });
      await terminal.ended();
      assert.match(terminal.text, /a\\u009b31m\\u0085\\u202eb/, command.join(' '));
      assert.doesNotMatch(terminal.text, /[\u0080-\u009f\u202e]/, command.join(' '));
    }
  } finally {
    client.close();
    await server.stop();
    await directory.remove();
  }
});
