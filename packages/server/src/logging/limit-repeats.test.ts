import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitRepeats } from './limit-repeats.ts';

test('the same warning is passed on once in ten seconds, and another one at once', () => {
  const passedOn: unknown[] = [];
  let nowMs = 1_000;
  const warn = limitRepeats(
    (cause) => void passedOn.push(cause),
    () => nowMs,
  );
  for (const cause of ['damaged', 'damaged', 'away', 'away']) warn(cause);
  nowMs += 9_999;
  warn('away');
  assert.deepEqual(passedOn, ['damaged', 'away']);
  nowMs += 1;
  warn('away');
  warn('away');
  assert.deepEqual(passedOn, ['damaged', 'away', 'away']);
});
