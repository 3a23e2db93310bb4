import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { TarPit } from './tar-pit.ts';

test('a bounded number of answers is delayed, and any more are sent at once', async () => {
  const ends: (() => void)[] = [];
  const pit = new TarPit(() => new Promise<void>((resolve) => ends.push(resolve)));
  const held = Array.from({ length: 1_000 }, () => pit.hold(1, undefined));
  await pit.hold(1, undefined);
  assert.equal(ends.length, 1_000);
  for (const end of ends) end();
  await Promise.all(held);
  void pit.hold(1, undefined);
  assert.equal(ends.length, 1_001, 'there is room again');
});

test('the wait ends at once when the caller disconnects', async () => {
  const caller = new AbortController();
  const ended: string[] = [];
  const hold = (name: string) => new TarPit().hold(10_000, caller.signal).then(() => ended.push(name));
  void hold('during the wait');
  caller.abort();
  void hold('before the wait');
  await nextIteration();
  assert.deepEqual(ended.sort(), ['before the wait', 'during the wait']);
});

test('an answer whose time is in the past is sent at once', async () => {
  await new TarPit(() => Promise.reject(new Error('it waits'))).hold(0, undefined);
});

test('an answer is delayed for the given time, whether or not a signal could end the delay sooner', async () => {
  for (const signal of [undefined, new AbortController().signal]) {
    const waits: unknown[][] = [];
    const wait = async (...wait: unknown[]) => void waits.push(wait);
    await new TarPit(wait).hold(30, signal);
    assert.deepEqual(waits, [[30, signal]]);
  }
});
