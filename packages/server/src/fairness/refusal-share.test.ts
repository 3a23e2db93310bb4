import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalShare } from './refusal-share.ts';

test('the items of a second are compared when it is over', () => {
  const share = new RefusalShare();
  share.noteTaken(5_000);
  share.noteRefused(2, 5_001);
  assert.equal(share.isMost(5_999), false);
  assert.equal(share.isMost(6_000), true);
});

test('calls are not mostly refused while as many are taken', () => {
  const share = new RefusalShare();
  share.noteTaken(5_000);
  share.noteRefused(1, 5_999);
  assert.equal(share.isMost(6_000), false);
});

test('each second counts by itself', () => {
  const share = new RefusalShare();
  share.noteRefused(9, 5_000);
  share.noteTaken(6_000);
  assert.equal(share.isMost(6_999), true, 'in the second before');
  assert.equal(share.isMost(7_000), false);
});

test('counts from two seconds ago are ignored', () => {
  const share = new RefusalShare();
  share.noteRefused(9, 5_000);
  assert.equal(share.isMost(7_000), false);
});
