import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

const pageBytes = 4096;

/** The server checks the head regularly; the first request that needs a damaged page elsewhere detects it. */
for (const [what, firstPage] of [
  ['the head', 0],
  ['every page but the first', 1],
] as const) {
  test(`a file damaged while the server runs (${what}) makes the node not ready, and accepts no more writes`, {
    timeout: 240_000,
  }, async () => {
    const directory = await provisionDirectory(2_000);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, directory.credentials);
    try {
      assert.equal((await client.call('POST', '/user/stores', { username: 'before' })).code, 0);
      damage(directory, firstPage);
      const query = client.sign('GET', '/user?username=before');
      while ((await client.get('/readyz')).status === 200) {
        await client.exchange(query);
        await delay(20);
      }
      const { status, envelope } = await client.exchange(
        client.sign('POST', '/user/stores', { username: 'after' }),
      );
      assert.deepEqual([status, envelope.code], [503, 1503]);
      const { text } = await client.get('/readyz');
      assert.match(text, /its file is damaged or could not be read/);
      assert.doesNotMatch(text, /the last write failed/, 'the disk is fine');
      assert.equal((await client.get('/healthz')).status, 200);
      await server.stop();
      assert.match(server.output, /BusyError: the (file of the )?database is damaged/);
      assert.deepEqual(server.errorLines, []);
    } finally {
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
}

function damage({ data }: Provisioned, firstPage: number): void {
  const file = openSync(join(data, 'fieldroster.db'), 'r+');
  const garbage = Buffer.alloc(pageBytes, 0xa5);
  const pages = Math.floor(fstatSync(file).size / pageBytes);
  for (let page = firstPage; page < pages; page++) writeSync(file, garbage, 0, pageBytes, page * pageBytes);
  closeSync(file);
}
