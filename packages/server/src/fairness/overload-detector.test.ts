import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OverloadDetector } from './overload-detector.ts';

test('a queue is overload once it has not been empty for half a second', () => {
  const detector = new OverloadDetector(1_000);
  assert.equal(detector.isOverloaded(10_000), false, 'nothing waits');
  detector.noteFirst(10_000);
  assert.equal(detector.isOverloaded(10_500), false);
  assert.equal(detector.isOverloaded(10_501), true);
  assert.equal(detector.isStanding(10_501), true);
});

test('a queue that becomes empty is a burst again', () => {
  const detector = new OverloadDetector(1_000);
  detector.noteFirst(0);
  detector.noteEmpty();
  assert.equal(detector.isOverloaded(9_999), false);
  detector.noteFirst(10_000);
  assert.equal(detector.isOverloaded(10_400), false, 'its time counts from the first that waits now');
});

test('overload lasts for the given time after each refusal, even if the queue is empty meanwhile', () => {
  const detector = new OverloadDetector(1_000);
  detector.noteFirst(0);
  detector.extend(501);
  detector.noteEmpty();
  assert.equal(detector.isStanding(502), false);
  assert.equal(detector.isOverloaded(1_500), true);
  detector.extend(1_500);
  assert.equal(detector.isOverloaded(2_499), true);
  assert.equal(detector.isOverloaded(2_500), false);
});

test('without a calm time, overload ends when the queue is empty', () => {
  const detector = new OverloadDetector(0);
  detector.noteFirst(0);
  detector.extend(501);
  assert.equal(detector.isOverloaded(501), true);
  detector.noteEmpty();
  assert.equal(detector.isOverloaded(501), false);
});
