import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairLane } from './fair-lane.ts';

function takeAll(lane: FairLane<string>): string[] {
  const taken: string[] = [];
  for (let item = lane.take(); item !== undefined; item = lane.take()) taken.push(item);
  return taken;
}

const unbounded = { burstMax: 10_000, standingMax: 10_000, refuse: () => {} };

test('owners take turns, and each keeps the order of its items', () => {
  const lane = new FairLane<string>(unbounded);
  for (const item of ['a1', 'a2', 'a3', 'a4']) lane.add('a', item);
  for (const item of ['b1', 'b2']) lane.add('b', item);
  const taken = takeAll(lane);
  assert.deepEqual(taken.toSorted(), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  assert.ok(taken.indexOf('b1') <= 1 && taken.indexOf('b2') <= 3, taken.join());
  assert.deepEqual(
    taken.filter((item) => item.startsWith('a')),
    ['a1', 'a2', 'a3', 'a4'],
  );
});

test('an item that costs ten rounds lets ten items of another owner go first', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('bulk', 'bulk', { cost: 10 });
  for (let index = 0; index < 20; index += 1) lane.add('small', `small-${index}`);
  const position = takeAll(lane).indexOf('bulk');
  assert.ok(position >= 9 && position <= 11, `${position} items went first`);
});

test('whatever is added, two busy owners are served within two items of each other', () => {
  const operations = fc.array(fc.constantFrom('take', 'add'), { maxLength: 200 });
  fc.assert(
    fc.property(operations, (steps) => {
      const lane = new FairLane<string>(unbounded);
      const served = { noisy: 0, quiet: 0 };
      for (const owner of ['noisy', 'quiet'] as const)
        for (let n = 0; n < 400; n += 1) lane.add(owner, owner);
      for (const step of steps) {
        if (step === 'add') lane.add('noisy', 'noisy');
        else served[lane.take() as 'noisy' | 'quiet'] += 1;
      }
      assert.ok(Math.abs(served.noisy - served.quiet) <= 2, JSON.stringify(served));
    }),
  );
});

test('a burst may wait; a queue that has not been empty for half a second stays short, for its owner only', () => {
  let nowMs = 0;
  const refused: string[] = [];
  const refuse = (item: string) => refused.push(item);
  const lane = new FairLane<string>({ burstMax: 10, standingMax: 2, refuse, now: () => nowMs });
  for (let index = 0; index < 10; index += 1) {
    assert.equal(lane.isFullFor('a'), false);
    lane.add('a', `a${index}`);
  }
  assert.equal(lane.isFullFor('a'), true);
  nowMs = 501;
  assert.equal(lane.take(), 'a8', 'the newest two are left');
  assert.deepEqual(refused, ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']);
  lane.add('a', 'a10');
  assert.equal(lane.isFullFor('a'), true, 'two wait, which is all that may stand');
  assert.equal(lane.isFullFor('b'), false);
  takeAll(lane);
  lane.add('a', 'again');
  lane.add('a', 'again');
  assert.equal(lane.isFullFor('a'), false, 'it was empty meanwhile');
});

test('a queue that was cut stays short until nothing had to be refused for the given time', () => {
  let nowMs = 0;
  const bounds = { burstMax: 10, standingMax: 2, calmAfterMs: 1_000 };
  const lane = new FairLane<string>({ ...bounds, refuse: () => {}, now: () => nowMs });
  const addAtMs = (ms: number, count: number) => {
    takeAll(lane);
    nowMs = ms;
    for (let index = 0; index < count; index += 1) lane.add('a', `${ms} ${index}`);
  };
  addAtMs(0, 3);
  nowMs = 501;
  assert.equal(lane.take(), '0 1', 'one of three was refused');
  addAtMs(1_400, 2);
  assert.equal(lane.isFullFor('a'), true, 'it was empty meanwhile, but not for long');
  lane.noteRefused('a');
  addAtMs(2_399, 2);
  assert.equal(lane.isFullFor('a'), true, 'that was a refusal too');
  lane.noteRefused('a');
  addAtMs(3_399, 9);
  assert.equal(lane.isFullFor('a'), false, 'a burst may wait again');
});

test('an item that is removed is not taken', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('a', 'a1');
  lane.add('a', 'a2');
  assert.equal(lane.remove('a', 'a1'), true);
  assert.equal(lane.remove('a', 'a1'), false);
  assert.equal(lane.size, 1);
  assert.deepEqual(takeAll(lane), ['a2']);
});

test('patient items are never refused', () => {
  let nowMs = 0;
  const refused: string[] = [];
  const refuse = (item: string) => refused.push(item);
  const lane = new FairLane<string>({ burstMax: 10, standingMax: 1, refuse, now: () => nowMs });
  lane.add('a', 'bulk', { patient: true });
  for (const item of ['a1', 'a2', 'a3']) lane.add('a', item);
  nowMs = 501;
  assert.equal(lane.take(), 'bulk');
  assert.deepEqual(refused, ['a1', 'a2', 'a3']);
  assert.equal(lane.size, 0);
});
