import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirst } from './find-first.ts';

/** Reads from a list of which each call looks at a few entries, and counts the calls. */
function listOf(matches: readonly boolean[], lookedAt: number) {
  const calls: string[] = [];
  const read = async (after: string, limit: number) => {
    calls.push(after);
    const entries: number[] = [];
    const from = Number(after);
    for (let at = from; at < matches.length; at++) {
      if (at === from + lookedAt) return { entries, next: String(at) };
      if (matches[at]) entries.push(at);
      if (entries.length === limit) return { entries, next: String(at + 1) };
    }
    return { entries, next: '' };
  };
  return { calls, read };
}

const only = (places: readonly number[], length: number) =>
  Array.from({ length }, (_, at) => places.includes(at));

test('finds a match behind empty pages', async () => {
  const { calls, read } = listOf(only([95], 100), 10);
  assert.deepEqual(await findFirst(read), { entries: [95], isCutShort: false });
  assert.deepEqual(calls.slice(0, 3), ['', '10', '20']);
});

test('collects eight matches from several pages, and asks for no more', async () => {
  const { calls, read } = listOf(only([1, 2, 3, 11, 12, 13, 21, 22, 23, 24], 100), 10);
  const { entries, isCutShort } = await findFirst(read);
  assert.deepEqual(entries, [1, 2, 3, 11, 12, 13, 21, 22]);
  assert.equal(isCutShort, false);
  assert.equal(calls.length, 3);
});

test('says whether it ended before it had looked at every entry', async () => {
  const { calls, read } = listOf(only([3, 999], 1_000), 10);
  assert.deepEqual(await findFirst(read), { entries: [3], isCutShort: true });
  assert.equal(calls.length, 50);
  assert.deepEqual(await findFirst(listOf(only([499], 500), 10).read), { entries: [499], isCutShort: false });
});
