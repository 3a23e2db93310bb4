import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '@fieldroster/contract';
import { atScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { storeCodeOf } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { issueManager } from './issue-manager.ts';
import { LongestWait } from './longest-wait.ts';
import { forgetPeak, mebibyte, peakMemoryOf } from './process-memory.ts';

const storeCount = atScale({ bounded: 3_000, full: limits.storeCodesMax });

/** Takes six bytes a character in JSON. With longer ones, the answers would take more memory than unread answers may. */
const address = '\u0001'.repeat(30);

/** A body of this many stores stays below its limit. */
const storesAtOnce = 1_000;

const timesAtOnce = 4;

describeOnEachEngine((provision, engine) => {
  test('the stores of a user who has as many as it may have are answered to several callers at once', async (t) => {
    const directory = await provision(1);
    const credentials = await issueManager(directory);
    const server = await ServerProcess.start(directory);
    const client = new SignedClient(server.url, credentials);
    const waits = new LongestWait(server);
    try {
      const codes = Array.from({ length: storeCount }, (_, index) => storeCodeOf(index));
      for (let start = 0; start < storeCount; start += storesAtOnce) {
        const stores = codes.slice(start, start + storesAtOnce).map((code) => ({ code, name: 'n', address }));
        assert.equal((await client.call('POST', '/stores', { stores })).code, 0);
      }
      const saved = await client.call('POST', '/user/stores', { username: 'many', store_codes: codes });
      forgetPeak(server.pid);
      const usual = peakMemoryOf(server.pid);
      for (const times of [1, timesAtOnce]) {
        const calls = Array.from({ length: times }, async () => {
          const { data } = await client.call('GET', `/user/store?user_id=${saved.data?.id}`);
          const stores = data?.stores as { code: string; address: string }[];
          assert.deepEqual(
            stores.map(({ code }) => code),
            codes,
          );
          assert.ok(stores.every((store) => store.address === address));
        });
        const { workMs, wallMs } = await waits.during(Promise.all(calls));
        const grown = Math.round((peakMemoryOf(server.pid) - usual) / mebibyte);
        t.diagnostic(
          `figure: ${engine}: ${storeCount} stores, ${times} at once: ${workMs.toFixed(1)} ms of work (${wallMs.toFixed(1)} ms waited), ${grown} MiB more at the peak`,
        );
      }
    } finally {
      waits.close();
      client.close();
      await server.kill();
      await directory.remove();
    }
  });
});
