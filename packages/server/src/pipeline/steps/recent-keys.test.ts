import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentKeys } from './recent-keys.ts';

test('a key is known from its second note on', () => {
  const asked = new RecentKeys();
  assert.deepEqual(
    [asked.note('a'), asked.note('b'), asked.note('a'), asked.note('a')],
    [false, false, true, true],
  );
});

test('nearly all of as many keys as answers are kept are remembered, although they are asked for in turn', () => {
  const asked = new RecentKeys();
  const keys = Array.from({ length: 32_768 }, (_, index) => `1 read /user?user_id=${index}`);
  for (const key of keys) asked.note(key);
  const known = keys.filter((key) => asked.note(key)).length;
  assert(known > 0.98 * keys.length, `only ${known} of ${keys.length} are known`);
});

test('keys that were never asked for are unknown, however many there are', () => {
  const asked = new RecentKeys();
  let known = 0;
  for (let index = 0; index < 500_000; index += 1)
    if (asked.note(`1 read /user?user_id=${index}`)) known += 1;
  assert(known < 100, `${known} unknown keys were taken for known ones`);
});

test('a key whose hash would be 0, the mark of an empty slot, is unknown at first as well', () => {
  const asked = new RecentKeys();
  assert.deepEqual([asked.note('key 8713\u1411'), asked.note('key 8713\u1411')], [false, true]);
});
