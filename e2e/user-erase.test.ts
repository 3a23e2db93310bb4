import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provisionDirectory } from './provision-directory.ts';
import { ServerProcess } from './server-process.ts';
import { SignedClient } from './signed-client.ts';
import { Terminal } from './terminal.ts';

test('on a terminal, an erasure asks for the name again, and takes effect on a running server at once', async () => {
  const directory = await provisionDirectory(3);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const find = async () => (await client.call('GET', '/user?username=mara')).code;
  try {
    assert.equal((await client.call('POST', '/user/stores', { username: 'mara' })).code, 0);
    for (let reads = 0; reads < 3; reads++) assert.equal(await find(), 0, 'the answer is kept in memory');
    const command = ['user', 'erase', '--user', 'mara', ...directory.flags];
    const mistyped = new Terminal(command);
    await mistyped.shows(/permanently removes all data of mara \(id 1\)/);
    mistyped.type('Mara');
    await mistyped.shows(/the name that was typed is not .*; nothing was erased/);
    assert.equal(await find(), 0);
    for (const leave of ['endInput', 'interrupt'] as const) {
      const left = new Terminal(command);
      await left.shows(/Type the name to continue/);
      await left[leave]();
      assert.match(left.text, /\r\nfieldroster: the name was not typed; nothing was erased\r\n$/, leave);
      assert.equal(await find(), 0);
    }
    const typed = new Terminal(command);
    await typed.shows(/Type the name to continue/);
    typed.type('mara');
    await typed.shows(/erased id 1: 1 profile/);
    await typed.ended();
    assert.equal(await find(), 1101);
  } finally {
    client.close();
    await server.stop();
    await directory.remove();
  }
});
