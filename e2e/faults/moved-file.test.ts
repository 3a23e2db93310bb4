import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';

const file = 'fieldroster.db';

test('a write is refused, not lost, after the database file was removed or replaced while the server runs', async () => {
  const directory = await provisionDirectory(10);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const acknowledged: string[] = [];
  const write = async (username: string) => {
    assert.equal((await client.call('POST', '/user/stores', { username })).code, 0);
    acknowledged.push(username);
  };
  const proveRefused = async (what: string) => {
    const call = client.sign('POST', '/user/stores', { username: `refused ${what}` });
    const { status, envelope } = await client.exchange(call);
    assert.deepEqual([status, envelope.code], [503, 1503], what);
    await untilReadyzIs(client, 503);
    assert.equal((await client.get('/healthz')).status, 200, what);
    return call;
  };
  try {
    for (const name of [file, `${file}-wal`, `${file}-shm`]) {
      await write(`before ${name}`);
      const [path, aside] = [join(directory.data, name), join(directory.data, `${name}.aside`)];
      renameSync(path, aside);
      await proveRefused(`without ${name}`);
      copyFileSync(aside, path);
      const call = await proveRefused(`with another ${name}`);
      renameSync(aside, path);
      assert.equal((await client.send(call)).code, 0, 'the same write succeeds once the file is back');
      await untilReadyzIs(client, 200);
    }
    await server.kill();
    const again = await ServerProcess.start(directory);
    const reader = new SignedClient(again.url, directory.credentials);
    for (const username of acknowledged) {
      const answer = await reader.call('GET', `/user?username=${encodeURIComponent(username)}`);
      assert.equal(answer.code, 0, username);
    }
    for (const ending of ['', '-wal', '-shm']) rmSync(join(directory.data, file + ending));
    const refused = await reader.exchange(
      reader.sign('POST', '/user/stores', { username: 'after the removal' }),
    );
    assert.equal(refused.envelope.code, 1503);
    reader.close();
    assert.equal(await again.stop(), 0);
    assert.match(
      again.output,
      /"code":1503,[^\n]*fieldroster\.db was removed or replaced while the server runs/,
    );
    assert.deepEqual([...server.errorLines, ...again.errorLines], []);
  } finally {
    client.close();
    await server.kill();
    await directory.remove();
  }
});

/** The state that `/readyz` reports is up to a second old. */
async function untilReadyzIs(client: SignedClient, status: number): Promise<void> {
  while ((await client.get('/readyz')).status !== status) await delay(50);
}
