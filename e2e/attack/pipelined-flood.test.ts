import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { AttackConnection } from './attack-connection.ts';
import { LongestWait, wordsOf, workMsMax } from './longest-wait.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

const connections = 20;

/** The shortest request that there is; some 3,600 of them fit into what the server reads at once. */
const request = 'GET /x HTTP/1.1\r\n\r\n';
const flood = Buffer.from(request.repeat(20_000));

const grownBytesMax = 40 * mebibyte;

/** Beside other tests, the event loop may work for longer at once, in milliseconds. */
const workMs = atScale({ bounded: 200, full: workMsMax });

/** Sends many requests without a signature at once. Resolves when the server has closed the connection. */
async function sendFlood(port: number): Promise<string> {
  const { socket } = await AttackConnection.open(port);
  const parts: string[] = [];
  socket.on('data', (part: string) => parts.push(part));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(flood);
  await closed;
  return parts.join('');
}

test(`${connections} connections with thousands of requests each take little memory, and hold nobody up`, async (t) => {
  const directory = await provisionDirectory(1);
  const server = await ServerProcess.start(directory);
  const other = new LongestWait(server);
  try {
    await other.learnIdle();
    forgetPeak(server.pid);
    const before = peakMemoryOf(server.pid);
    const floods = Promise.all(Array.from({ length: connections }, () => sendFlood(server.port)));
    const longest = await other.during(floods, 20);
    const grown = peakMemoryOf(server.pid) - before;
    t.diagnostic(`figure: ${Math.round(grown / mebibyte)} MiB more, ${wordsOf(longest)}`);
    assert.ok(grown < grownBytesMax, `${grown} bytes more`);
    assert.ok(!other.isTooLong(longest, workMs), `${wordsOf(longest)} before another client's answer`);
    for (const answers of await floods) {
      const codes = [...answers.matchAll(/"code":(\d+)/g)].map(([, code]) => code);
      assert.deepEqual(
        [codes[0], codes.at(-1)],
        ['1005', '1429'],
        'the first are answered, the rest is refused',
      );
      assert.ok(codes.length <= 52, `${codes.length} answers`);
    }
  } finally {
    other.close();
    await server.kill();
    await directory.remove();
  }
});
