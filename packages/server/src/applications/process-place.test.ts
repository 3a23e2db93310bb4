import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRunning, processPlace } from './process-place.ts';

const nowMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

function holder(place: string, seenAtMs: number, pid = process.pid) {
  return { processId: 'a', host: 'h', pid, place, keyIds: [], seenAtMs };
}

test('a process of this machine runs as long as its id does, whatever clock dated its report', () => {
  const here = processPlace();
  for (const seenAtMs of [nowMs - 149_000, nowMs, nowMs + dayMs])
    assert.equal(isRunning(holder(here, seenAtMs), nowMs), true);
  assert.equal(isRunning(holder(here, nowMs, 2 ** 30), nowMs), false);
});

test('a process of another machine runs unless its report is more than 150 seconds old or ahead', () => {
  for (const [differenceMs, expected] of [
    [-151_000, false],
    [-149_000, true],
    [149_000, true],
    [151_000, false],
  ] as const)
    assert.equal(isRunning(holder('elsewhere', nowMs + differenceMs), nowMs), expected);
});
