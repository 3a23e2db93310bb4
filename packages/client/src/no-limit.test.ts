import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientBench } from '../test/client-bench.ts';
import { pause } from './retry-delay.ts';

for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53]) {
  test(`a call with a time limit of ${timeoutMs} ms is answered on its first attempt`, async () => {
    await using bench = await ClientBench.open();
    await bench.client({ timeoutMs }).listUsers({});
    await bench.client().listUsers({}, { timeoutMs });
    assert.equal(bench.proxy.seen.length, 2);
  });
}

for (const ms of [Number.POSITIVE_INFINITY, 2 ** 31, 999_999_999_000]) {
  test(`a pause of ${ms} ms lasts longer than one that a timer can measure`, async () => {
    const leaving = new AbortController();
    const ended = pause(ms, leaving.signal).then(() => 'over');
    const shorter = pause(50, undefined).then(() => 'still waiting');
    assert.equal(await Promise.race([ended, shorter]), 'still waiting');
    leaving.abort(new Error('left'));
    await assert.rejects(ended, /left/);
  });
}
