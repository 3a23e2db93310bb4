import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processPlace } from './process-place.ts';
import { ProcessWatch } from './process-watch.ts';

const nowMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;

function holder(place: string, seenAtMs: number, pid = process.pid) {
  return { processId: 'a', host: 'h', pid, place, keyIds: [], seenAtMs };
}

test('a process of another machine whose report is dated ahead counts until the report stayed the same for 150 seconds', () => {
  let elapsedMs = 0;
  const watch = new ProcessWatch(() => elapsedMs);
  const ahead = holder('elsewhere', nowMs + dayMs);
  assert.equal(watch.mayRun(ahead, nowMs), true);
  elapsedMs = 150_000;
  assert.equal(watch.mayRun(ahead, nowMs + elapsedMs), true);
  const again = { ...ahead, seenAtMs: ahead.seenAtMs + 1 };
  assert.equal(watch.mayRun(again, nowMs + elapsedMs), true, 'it reported again');
  elapsedMs = 300_001;
  assert.equal(watch.mayRun(again, nowMs + elapsedMs), false);
  assert.equal(watch.mayRun(holder('elsewhere', nowMs - dayMs), nowMs), false, 'an old report needs no look');
  assert.equal(watch.mayRun(holder(processPlace(), nowMs + dayMs, 2 ** 30), nowMs), false, 'nor a known id');
});
