import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { LongestWait, wordsOf } from './longest-wait.ts';

const requests = atScale({ bounded: 20, full: 500 });
const spaces = ' '.repeat(15_000);

describeOnEachEngine((provision, engine) => {
  test('15 KB of spaces in Content-Type keep no other client waiting', async (t) => {
    await using stack = new AsyncDisposableStack();
    const directory = await provision(0);
    stack.defer(() => directory.remove());
    const server = await ServerProcess.start(directory);
    stack.defer(() => server.kill());
    const client = stack.use(new SignedClient(server.url, directory.credentials, 1));
    const waits = new LongestWait(server);
    stack.defer(() => waits.close());
    const attack = async () => {
      for (let count = 0; count < requests; count += 1) {
        const { headers, ...call } = client.sign('POST', '/user/stores', { username: 'x' });
        const contentType = `application/json${spaces};${count}`;
        const { code } = await client.send({ ...call, headers: { ...headers, 'Content-Type': contentType } });
        assert.equal(code, 1003);
      }
    };
    await attack();
    const idle = await waits.learnIdle();
    const longest = await waits.during(attack());
    t.diagnostic(`figure: ${engine}: ${wordsOf(longest)}, ${wordsOf(idle)} when idle`);
    assert.ok(!waits.isTooLong(longest), `${wordsOf(longest)} before another client was answered`);
  });
});
