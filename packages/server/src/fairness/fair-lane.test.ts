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

test('an item that costs ten rounds waits for its tenth round, while another owner spends nine', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('bulk', 'bulk', { cost: 10 });
  for (let index = 0; index < 20; index += 1) lane.add('small', `small-${index}`);
  assert.equal(takeAll(lane).indexOf('bulk'), 9);
});

test('taking an item that costs thousands of rounds looks at each owner a few times only', () => {
  let looks = 0;
  const now = () => {
    looks += 1;
    return 0;
  };
  const lane = new FairLane<string>({ ...unbounded, now });
  for (let owner = 0; owner < 50; owner += 1) lane.add(`${owner}`, `${owner}`, { cost: 4_000 });
  looks = 0;
  assert.equal(lane.take(), '0');
  assert.ok(looks <= 200, `${looks} looks at 50 owners`);
});

/** Takes everything in the order of deficit round robin, one round after the other. */
function takeByRounds(costsOf: ReadonlyMap<string, readonly number[]>): string[] {
  const waiting = [...costsOf].map(([owner, costs]) => ({ owner, costs: [...costs], deficit: 0 }));
  const taken: string[] = [];
  for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
    const cost = first.costs[0] ?? 0;
    if (first.deficit < cost && waiting.length > 0) {
      waiting.push({ ...first, deficit: first.deficit + 1 });
      continue;
    }
    taken.push(`${first.owner} ${cost}`);
    const costs = first.costs.slice(1);
    if (costs.length > 0) waiting.unshift({ ...first, costs, deficit: Math.max(0, first.deficit - cost) });
  }
  return taken;
}

test('rounds in which nobody can spend enough are skipped, which changes no order', () => {
  const costs = fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 60 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(costs, { maxLength: 6 }), (ofOwners) => {
      const lane = new FairLane<string>(unbounded);
      const costsOf = new Map(ofOwners.map((list, index) => [`owner-${index}`, list]));
      for (const [owner, list] of costsOf)
        for (const cost of list) lane.add(owner, `${owner} ${cost}`, { cost });
      assert.deepEqual(takeAll(lane), takeByRounds(costsOf));
    }),
  );
});

test('an owner that joins two busy ones waits for no more than three of their items', () => {
  const lane = new FairLane<string>(unbounded);
  for (let index = 0; index < 9; index += 1) for (const owner of ['a', 'b']) lane.add(owner, owner);
  for (let index = 0; index < 6; index += 1) lane.take();
  lane.add('c', 'c');
  const position = takeAll(lane).indexOf('c');
  assert.ok(position <= 3, `${position} items went first`);
});

test('a costly item that is taken while nobody else waits costs its owner no round later', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('a', 'bulk', { cost: 10 });
  lane.add('a', 'next');
  assert.equal(lane.take(), 'bulk');
  for (const item of ['b1', 'b2', 'b3']) lane.add('b', item);
  assert.ok(takeAll(lane).indexOf('next') <= 1);
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
  nowMs = 500;
  assert.equal(lane.take(), 'a0', 'half a second is still a burst');
  lane.add('a', 'a10');
  nowMs = 501;
  assert.equal(lane.take(), 'a9', 'the newest two are left');
  assert.deepEqual(refused, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']);
  lane.add('a', 'a11');
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

test('while a flood lasts, the queue stays shorter', () => {
  let nowMs = 0;
  const bounds = { burstMax: 10, standingMax: 4, floodedMax: 2, calmAfterMs: 1_000 };
  const refused: string[] = [];
  const refuse = (item: string) => refused.push(item);
  const lane = new FairLane<string>({ ...bounds, refuse, now: () => nowMs });
  const fill = (count: number) => {
    for (let index = 0; index < count; index += 1) lane.add('a', `${nowMs} ${index}`);
  };
  fill(4);
  nowMs = 501;
  assert.equal(lane.isFullFor('a'), true, 'four may stand');
  for (let index = 0; index < 2; index += 1) lane.noteRefused('a');
  assert.equal(lane.take(), '0 0');
  nowMs = 1_500;
  fill(1);
  assert.equal(lane.isFullFor('a'), true, 'four are too many');
  nowMs = 1_501;
  assert.equal(lane.take(), '0 3', 'two of four were refused, more than the one that was taken');
  assert.deepEqual(refused, ['0 1', '0 2']);
  assert.equal(lane.isFullFor('a'), false);
  fill(1);
  assert.equal(lane.isFullFor('a'), true, 'two may stand');
  assert.equal(lane.isFullFor('b'), false);
});

test('once eight times as many items are taken as refused, the queue may be as long as before', () => {
  let nowMs = 0;
  const bounds = { burstMax: 10, standingMax: 2, floodedMax: 1, calmAfterMs: 10_000 };
  const lane = new FairLane<string>({ ...bounds, refuse: () => {}, now: () => nowMs });
  lane.add('a', 'first');
  lane.add('a', 'second');
  nowMs = 501;
  lane.noteRefused('a');
  nowMs = 1_501;
  assert.equal(lane.isFullFor('a'), true);
  for (let taken = 0; taken < 8; taken += 1) {
    lane.take();
    lane.add('a', `after ${taken}`);
  }
  assert.equal(lane.isFullFor('a'), true, 'one may stand');
  nowMs = 2_501;
  assert.equal(lane.isFullFor('a'), false);
});

test('refusals before a queue was calm do not keep it shorter in its next overload', () => {
  let nowMs = 0;
  const bounds = { burstMax: 10, standingMax: 4, floodedMax: 2 };
  const refused: string[] = [];
  const refuse = (item: string) => refused.push(item);
  const lane = new FairLane<string>({ ...bounds, refuse, now: () => nowMs });
  for (let index = 0; index < 10; index += 1) lane.add('a', `first ${index}`);
  nowMs = 501;
  assert.equal(takeAll(lane).length, 4);
  assert.equal(refused.length, 6, 'more were refused than taken');
  nowMs = 1_000;
  for (const item of ['next 1', 'next 2']) lane.add('a', item);
  nowMs = 1_501;
  assert.equal(lane.isFullFor('a'), false, 'four may stand');
});

test('a refusal in a burst, or of an owner with nothing waiting, keeps no queue short', () => {
  let nowMs = 0;
  const bounds = { burstMax: 3, standingMax: 1, calmAfterMs: 1_000 };
  const lane = new FairLane<string>({ ...bounds, refuse: () => {}, now: () => nowMs });
  lane.noteRefused('b');
  for (const item of ['a1', 'a2', 'a3']) lane.add('a', item);
  lane.noteRefused('a');
  takeAll(lane);
  nowMs = 100;
  for (const owner of ['a', 'b']) lane.add(owner, 'next');
  assert.deepEqual([lane.isFullFor('a'), lane.isFullFor('b')], [false, false]);
});

test('a queue that was never too long takes a burst again once it was empty', () => {
  let nowMs = 0;
  const bounds = { burstMax: 10, standingMax: 2, calmAfterMs: 1_000 };
  const lane = new FairLane<string>({ ...bounds, refuse: () => {}, now: () => nowMs });
  for (const item of ['a1', 'a2']) lane.add('a', item);
  nowMs = 501;
  assert.deepEqual(takeAll(lane), ['a1', 'a2']);
  for (const item of ['a3', 'a4']) lane.add('a', item);
  assert.equal(lane.isFullFor('a'), false);
});

test('a lane without a clock of its own uses the monotonic one of the process', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const lane = new FairLane<string>({ burstMax: 10, standingMax: 1, refuse: () => {} });
  lane.add('a', 'a1');
  assert.equal(lane.isFullFor('a'), false);
  nowMs = 501;
  assert.equal(lane.isFullFor('a'), true);
});

test('the limited items of an owner are those of its own that wait and are not patient', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('a', 'bulk', { patient: true });
  for (const item of ['a1', 'a2', 'a3']) lane.add('a', item);
  lane.add('b', 'b1');
  lane.remove('a', 'a3');
  assert.deepEqual([lane.limitedOf('a'), lane.limitedOf('b'), lane.limitedOf('c')], [2, 1, 0]);
  lane.remove('b', 'b1');
  assert.deepEqual([lane.take(), lane.limitedOf('a')], ['bulk', 2]);
  assert.deepEqual([lane.take(), lane.limitedOf('a')], ['a1', 1]);
});

test('the waiting items are listed with their owners, each owner’s in their order', () => {
  const lane = new FairLane<string>(unbounded);
  for (const item of ['a1', 'b1', 'a2']) lane.add(item.slice(0, 1), item);
  assert.deepEqual(
    [...lane],
    [
      { owner: 'a', item: 'a1' },
      { owner: 'a', item: 'a2' },
      { owner: 'b', item: 'b1' },
    ],
  );
});

test('an owner whose last item is removed gives way to the next one', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('a', 'a1');
  lane.add('b', 'b1');
  lane.remove('a', 'a1');
  assert.equal(lane.take(), 'b1');
});

test('an item that is removed is not taken', () => {
  const lane = new FairLane<string>(unbounded);
  lane.add('a', 'a1');
  lane.add('a', 'a2');
  lane.add('a', 'a3');
  for (const item of ['a2', 'a1']) assert.equal(lane.remove('a', item), true);
  for (const owner of ['a', 'b']) assert.equal(lane.remove(owner, 'a1'), false);
  assert.equal(lane.size, 1);
  assert.deepEqual(takeAll(lane), ['a3']);
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
  assert.deepEqual(refused, ['a1', 'a2']);
  assert.equal(lane.size, 1);
});

test('however many patient items wait, as many others of their owner may wait as without them', () => {
  let nowMs = 0;
  const refused: string[] = [];
  const refuse = (item: string) => refused.push(item);
  const lane = new FairLane<string>({ burstMax: 4, standingMax: 2, refuse, now: () => nowMs });
  for (const item of ['bulk1', 'bulk2', 'bulk3', 'bulk4']) lane.add('a', item, { patient: true });
  for (const item of ['a1', 'a2', 'a3']) {
    assert.equal(lane.isFullFor('a'), false, `no room for ${item}`);
    lane.add('a', item);
  }
  nowMs = 501;
  assert.equal(lane.take(), 'bulk1');
  assert.deepEqual(refused, ['a1'], 'two others may stand');
  assert.equal(lane.isFullFor('a'), true);
  assert.deepEqual(takeAll(lane), ['bulk2', 'bulk3', 'bulk4', 'a2', 'a3']);
});
