import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupedLane, type GroupedOwner } from './grouped-lane.ts';

/** Makes a lane with a clock that the test moves, whose owners may have three items in a burst, and one afterwards. */
function lane() {
  const clock = { nowMs: 0 };
  const refused: string[] = [];
  const made = new GroupedLane<string>({
    burstMax: 3,
    standingMax: 1,
    calmAfterMs: 60_000,
    refuse: (item) => refused.push(item),
    now: () => clock.nowMs,
  });
  const add = (owner: GroupedOwner, ...items: string[]) => {
    for (const item of items) made.add(owner, item, {});
  };
  const takeAll = () => {
    const taken: string[] = [];
    for (let item = made.take(); item !== undefined; item = made.take()) taken.push(item);
    return taken;
  };
  return { lane: made, clock, refused, add, takeAll };
}

const [alone, other] = [{ owner: 'alone' }, { owner: 'other' }];
const [one, two] = ['one', 'two'].map((owner) => ({ owner, group: 'many' })) as [GroupedOwner, GroupedOwner];
const single = { owner: 'single', group: 'few' };

test('groups take turns item by item, and so do the owners of each; owners without a group are one', () => {
  const { lane: waiting, add, takeAll } = lane();
  add(one, '1a', '1b');
  add(two, '2a', '2b');
  add(single, 'sa', 'sb', 'sc');
  add(alone, 'aa', 'ab');
  add(other, 'oa');
  assert.equal(waiting.size, 10);
  const taken = takeAll();
  const groupOf = (item: string) => ({ 1: 'many', 2: 'many', s: 'few' })[item.charAt(0)] ?? 'none';
  assert.deepEqual(taken.map(groupOf), [...Array(3).fill(['many', 'few', 'none']), 'many'].flat());
  assert.deepEqual(taken.filter((item) => groupOf(item) === 'many').toSorted(), ['1a', '1b', '2a', '2b']);
  assert.notEqual(taken[0]?.charAt(0), taken[3]?.charAt(0), 'owners of a group take turns');
  assert.equal(waiting.size, 0);
});

test('the limits apply to each owner, whether or not it has a group', () => {
  const { lane: waiting, add } = lane();
  for (const owner of [one, alone]) {
    assert.deepEqual([waiting.limitedOf(owner), waiting.isFullFor(owner)], [0, false]);
    add(owner, 'a', 'b', 'c');
    assert.deepEqual([waiting.limitedOf(owner), waiting.isFullFor(owner)], [3, true]);
  }
  for (const owner of [two, other, single]) {
    assert.deepEqual([waiting.limitedOf(owner), waiting.isFullFor(owner)], [0, false]);
  }
});

test('an item that is removed is not taken, and one that does not wait is removed without effect', () => {
  const { lane: waiting, add, takeAll } = lane();
  add(one, 'a', 'b');
  add(alone, 'c');
  waiting.remove(one, 'a');
  waiting.remove(alone, 'c');
  waiting.remove(single, 'a');
  waiting.remove(two, 'b');
  assert.equal(waiting.size, 1);
  assert.deepEqual(takeAll(), ['b']);
  waiting.remove(one, 'b');
  assert.equal(waiting.size, 0);
});

/** Lets items of an owner wait without a break until they are cut, and takes or removes the rest. */
function overload(waiting: ReturnType<typeof lane>, owner: GroupedOwner, end: 'take' | 'remove'): void {
  waiting.add(owner, 'a', 'b', 'c');
  waiting.clock.nowMs += 10_000;
  if (end === 'take') assert.deepEqual(waiting.takeAll(), ['c']);
  else {
    waiting.lane.noteRefused(owner);
    for (const item of ['a', 'b', 'c']) waiting.lane.remove(owner, item);
  }
  waiting.add(owner, 'd');
}

for (const end of ['take', 'remove'] as const) {
  test(`an owner that was refused lately stays short if it has no group, though all its items ended with ${end}`, () => {
    const waiting = lane();
    overload(waiting, alone, end);
    assert.equal(waiting.lane.isFullFor(alone), true);
  });

  test(`a group whose items have all ended with ${end} begins from scratch`, () => {
    const waiting = lane();
    overload(waiting, one, end);
    assert.equal(waiting.lane.isFullFor(one), false);
  });
}

test('the items that exceed the limits are refused, the oldest first', () => {
  const waiting = lane();
  waiting.add(one, 'a', 'b', 'c');
  waiting.clock.nowMs += 10_000;
  assert.equal(waiting.lane.take(), 'c');
  assert.deepEqual(waiting.refused, ['a', 'b']);
});

test('a refusal of an owner whose group has nothing waiting is noted without effect', () => {
  const { lane: waiting, add } = lane();
  waiting.noteRefused(one);
  add(one, 'a', 'b');
  assert.equal(waiting.isFullFor(one), false);
});

test('an item of a group is taken although nothing without a group waits any longer', () => {
  const { lane: waiting, add } = lane();
  add(alone, 'a');
  assert.equal(waiting.take(), 'a');
  add(one, 'b');
  assert.equal(waiting.take(), 'b');
});
