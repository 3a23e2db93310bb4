import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient, signText } from '../signed-client.ts';
import { LongestWait, restUnlessFull, wordsOf } from './longest-wait.ts';
import { forgetPeak, mappedMemoryOf, mebibyte, peakMemoryOf } from './process-memory.ts';

const entries = 10_000;

/** As Node.js chooses it for a process that may have 1 GiB. */
const heapMebibytes = 512;

const grownBytesMax = 450 * mebibyte;

const shortFields = [
  'real_name',
  'nickname',
  'email',
  'phone',
  'department',
  'avatar',
  'unique_code',
  'ext_info',
];

/** Batches whose plans take far more memory than their bodies, and how many of them are sent at once. */
const batches = [
  {
    name: 'a hundred unknown stores each',
    entry: { store_codes: Array.from({ length: 100 }, (_, index) => `\u200b${index.toString(36)}`) },
    times: atScale({ bounded: 8, full: 30 }),
    failed: entries,
  },
  { name: 'nothing else', entry: {}, times: atScale({ bounded: 40, full: 200 }), failed: 0 },
  {
    name: 'short fields',
    entry: Object.fromEntries(shortFields.map((field) => [field, 'a'])),
    times: atScale({ bounded: 30, full: 100 }),
    failed: 0,
  },
];

describeOnEachEngine((provision, engine) => {
  test('large batches that arrive together are planned in bounded memory, and each is answered', async (t) => {
    const directory = await provision(1);
    const environment = { NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}` };
    const server = await ServerProcess.start({ ...directory, environment });
    const waits = new LongestWait(server, restUnlessFull);
    // Beside other tests, the batches before one may take longer than a client usually waits.
    const client = new SignedClient(server.url, directory.credentials, 200, 240_000);
    try {
      await waits.learnIdle();
      for (const { name, entry, times, failed } of batches) {
        const users = Array.from({ length: entries }, (_, index) => ({ username: `u${index}`, ...entry }));
        const body = JSON.stringify({ dry_run: true, users });
        forgetPeak(server.pid);
        const usual = ownPeakOf(server);
        const plan = async () => {
          for (;;) {
            const answer = await client.send(signText(directory.credentials, 'POST', '/users/batch', body));
            // A busy machine refuses some before it looks at them.
            if (answer.code !== 1503) return answer;
            await delay(100);
          }
        };
        const answered = Promise.all(Array.from({ length: times }, plan));
        const longest = await waits.during(answered);
        for (const { code, data } of await answered) assert.deepEqual([code, data?.failed], [0, failed]);
        const grown = ownPeakOf(server) - usual;
        const figure = `${wordsOf(longest)}, ${Math.round(grown / mebibyte)} MiB more at the peak`;
        t.diagnostic(`figure: ${engine}: ${times} batches of ${entries} entries with ${name}: ${figure}`);
        assert.ok(grown < grownBytesMax, `${name}: ${grown} bytes more`);
        if (fullScale) assert.ok(!waits.isTooLong(longest), `${name}: ${wordsOf(longest)}`);
      }
    } finally {
      waits.close();
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});

function ownPeakOf({ pid }: ServerProcess): number {
  return peakMemoryOf(pid) - mappedMemoryOf(pid);
}
