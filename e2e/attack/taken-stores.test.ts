import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullScale } from '../../scripts/testing/full-scale.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { LongestWait, restUnlessFull, wordsOf } from './longest-wait.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

const users = 8;
const storesOfEach = 40_000;

/** A dry run that takes all stores of eight users would answer with 320,000 codes. */
const grownBytesMax = 200 * mebibyte;

test(`a small batch that takes ${users * storesOfEach} stores is refused, and takes little memory`, async (t) => {
  const directory = await provisionDirectory(storesOfEach);
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const waits = new LongestWait(server, restUnlessFull);
  const take = (count: number) =>
    client.call('POST', '/users/batch', {
      dry_run: true,
      users: Array.from({ length: count }, (_, index) => ({ username: `rich${index}`, store_codes: [] })),
    });
  try {
    for (let index = 0; index < users; index += 1) {
      const body = { username: `rich${index}`, store_codes: directory.storeCodes };
      assert.equal((await client.call('POST', '/user/stores', body)).code, 0);
    }
    await waits.learnIdle();
    forgetPeak(server.pid);
    const usual = peakMemoryOf(server.pid);
    const refused = Promise.all([take(users), take(users), take(users)]);
    const whileRefused = await waits.during(refused, 3);
    assert.deepEqual(
      (await refused).map(({ code }) => code),
      [1001, 1001, 1001],
    );
    const accepted = take(5);
    const whileAnswered = await waits.during(accepted, 3);
    assert.equal((await accepted).code, 0, 'a batch that takes just as much as it may');
    const grown = peakMemoryOf(server.pid) - usual;
    t.diagnostic(
      `figure: ${wordsOf(whileRefused)} for a refusal, ${wordsOf(whileAnswered)} for an answer; ` +
        `${Math.round(grown / mebibyte)} MiB more at the peak`,
    );
    assert.ok(grown < grownBytesMax, `${grown} bytes more`);
    for (const longest of fullScale ? [whileRefused, whileAnswered] : [])
      assert.ok(!waits.isTooLong(longest), wordsOf(longest));
  } finally {
    waits.close();
    client.close();
    await server.kill();
    await directory.remove();
  }
});
