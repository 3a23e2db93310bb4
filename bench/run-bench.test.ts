import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warmUp } from './run-bench.ts';

test('a contender that gets only part of its core is warmed up for longer, within a bound', async () => {
  assert.deepEqual(await Promise.all([1, 0.3, 0.01].map(roundsOfWarmUp)), [1, 3, 4]);
});

async function roundsOfWarmUp(cpuShare: number): Promise<number> {
  let rounds = 0;
  const contender = async () => {
    rounds += 1;
    return { value: 1, cpuShare };
  };
  await warmUp(contender, 2);
  return rounds;
}
