import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { provisionDirectory } from '../provision-directory.ts';
import { countSignedWrites, findDamage } from '../read-database.ts';
import { ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';
import { canTrace } from './can-trace.ts';

// Reads of the disk fail for a moment. SQLite reports some of these as damage, and the server cannot tell them apart.

const injection = 'inject=pread64:error=EIO:when=20+7';
/** How many of the refused writes are sent again. */
const refusedAgain = 100;
const advice = /could not be read; run fieldroster doctor before you restore/;

if (!canTrace())
  console.error('NOT TESTED: a disk on which reads fail, because strace cannot follow processes');
else
  test('after failed reads, writes are refused until a restart, and none that was acknowledged is lost', async (t) => {
    const directory = await provisionDirectory(1);
    t.after(() => directory.remove());
    const server = await ServerProcess.start(directory);
    t.after(() => server.kill());
    const client = new SignedClient(server.url, directory.credentials);
    t.after(() => client.close());
    const tracer = spawn('strace', ['-f', '-p', String(server.pid), '-o', '/dev/null', '-e', injection]);
    t.after(() => tracer.kill());
    const [line] = await once(tracer.stderr, 'data');
    assert.match(String(line), /attached/);
    const acknowledged: string[] = [];
    const refused: SignedCall[] = [];
    const write = async () => {
      const username = `user-${acknowledged.length + refused.length}`;
      const call = client.sign('POST', '/user/stores', { username });
      const { status, headers, envelope, text } = await client.exchange(call);
      if (envelope.code === 0) acknowledged.push(username);
      else {
        assert.deepEqual([status, envelope.code], [503, 1503], text);
        assert.match(headers['retry-after'] ?? '', /^\d+$/);
        refused.push(call);
      }
      return envelope.code;
    };
    await server.until(async () => {
      await write();
      return advice.test((await client.get('/readyz')).text);
    });
    tracer.kill();
    await once(tracer, 'close');
    // The disk can be read again, but only a restart proves that the database is whole.
    assert.equal(await write(), 1503);
    await server.kill();
    const again = await ServerProcess.start(directory);
    t.after(() => again.kill());
    const reader = new SignedClient(again.url, directory.credentials);
    t.after(() => reader.close());
    for (const username of acknowledged)
      assert.equal((await reader.call('GET', `/user?username=${username}`)).code, 0, username);
    assert.equal(await countSignedWrites(directory), acknowledged.length);
    assert.deepEqual(await findDamage(directory), []);
    for (const call of refused.slice(-refusedAgain))
      assert.equal((await reader.send(call)).code, 0, 'the refused write had no effect');
  });
