import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Holder } from '../../fairness/memory-pool.ts';
import { type GrowingLease, SmallBodies } from './small-bodies.ts';

const attacker: Holder = { name: '192.0.2.1', partMax: 3 / 4 };
const other: Holder = { name: '192.0.2.2', partMax: 1 / 2 };

/** Makes a reserve of 1,000 bytes, with a clock that the test moves and a record of the bodies that gave way. */
function reserve() {
  const clock = { nowMs: 0 };
  const small = new SmallBodies(1_000, () => clock.nowMs);
  const gone: string[] = [];
  const begin = (
    name: string,
    bytes: number,
    holder: Holder,
    { arrivedBytes = 1, waits = false } = {},
  ): GrowingLease => {
    const lease = small.hold(bytes, holder, {
      arrivedBytes,
      waits,
      giveWay({ code }) {
        assert.equal(code, 1503);
        gone.push(name);
        lease.release();
      },
    });
    return lease;
  };
  return { small, clock, gone, begin };
}

test('without room, the oldest slow body of the heaviest holder gives way, and only as many as needed', () => {
  const { small, clock, gone, begin } = reserve();
  begin('light', 60, other);
  for (const name of ['first', 'second', 'third']) begin(name, 250, attacker);
  const third: Holder = { name: '192.0.2.3', partMax: 1 / 2 };
  begin('light as well', 40, third);
  clock.nowMs = 1;
  small.take(300, other);
  assert.deepEqual(gone, ['first']);
  assert.equal(small.taken, 900);
  small.take(150, third);
  assert.deepEqual(gone, ['first', 'second']);
});

test('a holder without a share left gives way itself, though there is room', () => {
  const { small, clock, gone, begin } = reserve();
  begin('light', 100, other);
  for (const name of ['first', 'second', 'third']) begin(name, 250, attacker);
  clock.nowMs = 1;
  small.take(100, attacker);
  assert.deepEqual(gone, ['first']);
});

test('fast bodies never give way: the newcomer is refused', () => {
  const { small, clock, gone, begin } = reserve();
  clock.nowMs = 1_000;
  begin('fast', 500, attacker, { arrivedBytes: 160 });
  begin('fast', 500, other, { arrivedBytes: 160 });
  clock.nowMs = 1_010;
  assert.throws(() => small.take(1, { name: '192.0.2.3', partMax: 1 }), { code: 1503, retryAfterSeconds: 1 });
  assert.throws(() => small.take(1, other), { code: 1503 });
  assert.deepEqual(gone, []);
  clock.nowMs = 1_011;
  small.take(1, other);
  assert.deepEqual(gone, ['fast']);
});

test('a body that waits for other memory gives way at once', () => {
  const { small, gone, begin } = reserve();
  begin('waiting', 750, attacker, { arrivedBytes: 750, waits: true });
  small.take(500, other);
  assert.deepEqual(gone, ['waiting']);
});

test('complete bodies never give way', () => {
  const { small, clock, gone, begin } = reserve();
  const complete = begin('complete', 750, attacker);
  complete.finish();
  small.take(250, other);
  clock.nowMs = 10_000;
  assert.throws(() => small.take(1, other), { code: 1503 });
  assert.throws(() => small.take(1, attacker), { code: 1503 });
  assert.deepEqual(gone, []);
  complete.release();
  assert.equal(small.taken, 250);
});

test('a body that is let go while it grows leaves no memory taken', () => {
  const { small, clock, begin } = reserve();
  const growing = begin('growing', 300, other);
  const slow = small.hold(700, attacker, {
    arrivedBytes: 1,
    waits: false,
    giveWay() {
      slow.release();
      growing.release();
    },
  });
  clock.nowMs = 1;
  growing.growTo(400);
  assert.equal(small.taken, 0);
});

test('a body that grows takes the memory of slower ones, or gives way itself if it is the oldest', () => {
  const { small, clock, gone, begin } = reserve();
  const first = begin('first', 250, attacker);
  const second = begin('second', 250, attacker);
  begin('third', 250, attacker);
  clock.nowMs = 1;
  second.growTo(300);
  assert.deepEqual([gone, small.taken, second.bytes], [['first'], 550, 300]);
  assert.throws(() => second.growTo(600), { code: 1503 });
  assert.deepEqual([gone, small.taken], [['first', 'second'], 250]);
  first.release();
  second.release();
  assert.equal(small.taken, 250);
});

for (const isComplete of [false, true])
  test(`senders without a body are forgotten, after bodies that ${isComplete ? 'were complete' : 'broke off'}`, () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heapBytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const { small, begin } = reserve();
    const before = heapBytes();
    for (let sender = 0; sender < 50_000; sender += 1) {
      const lease = begin('body', 500, { name: `sender ${sender}`, partMax: 1 / 2 });
      if (isComplete) lease.finish();
      lease.release();
    }
    const grown = heapBytes() - before;
    // An entry for each sender would take more than three times this.
    assert.ok(grown < 3 * 1024 * 1024, `${grown} bytes more`);
    assert.equal(small.taken, 0);
  });
