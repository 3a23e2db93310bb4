import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalShare } from './refusal-share.ts';

test('the items of a second are compared when it is over', () => {
  const share = new RefusalShare();
  share.noteTaken(5_000);
  share.noteRefused(1, 5_001);
  assert.equal(share.isFlooded(5_999), false);
  assert.equal(share.isFlooded(6_000), true);
});

test('a queue is not flooded while it takes twice as many items as it refuses', () => {
  const share = new RefusalShare();
  share.noteTaken(5_000);
  share.noteTaken(5_000);
  share.noteRefused(1, 5_999);
  assert.equal(share.isFlooded(6_000), false);
});

test('each second counts by itself', () => {
  const share = new RefusalShare();
  share.noteRefused(9, 5_000);
  share.noteTaken(6_000);
  assert.equal(share.isFlooded(6_999), true, 'in the second before');
  assert.equal(share.isFlooded(7_000), false);
});

test('a flood lasts until an eighth as many items are refused as taken', () => {
  const share = new RefusalShare();
  share.noteRefused(9, 5_000);
  const takes = (count: number, nowMs: number) => {
    for (let taken = 0; taken < count; taken += 1) share.noteTaken(nowMs);
  };
  takes(15, 6_000);
  share.noteRefused(2, 6_001);
  assert.equal(share.isFlooded(7_000), true, 'two refused, fifteen taken');
  takes(16, 7_001);
  share.noteRefused(2, 7_002);
  assert.equal(share.isFlooded(8_000), false, 'two refused, sixteen taken');
  takes(4, 8_001);
  share.noteRefused(2, 8_002);
  assert.equal(
    share.isFlooded(9_000),
    false,
    'a new flood begins with more than half as many refused as taken',
  );
});

test('counts from two seconds ago are ignored', () => {
  const share = new RefusalShare();
  share.noteRefused(9, 5_000);
  assert.equal(share.isFlooded(7_000), false);
});
