import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '../../errors/api-error.ts';
import type { Holder } from '../../fairness/memory-pool.ts';
import type { Lease } from '../../fairness/memory-queue.ts';
import { BodyBudget } from './body-budget.ts';
import { bodyHolder } from './body-holder.ts';

const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, partMax: 1 / 2 })) as [Holder, Holder, Holder];
const anyone: Holder = { name: '', partMax: 1 };

const budget = () => new BodyBudget({ smallBytes: 100, largeBytes: 1000 });

/** Waits for memory; `outcome` shows the result. */
function waiting(from: BodyBudget, bytes: number, holder: Holder) {
  const outcome: { lease?: Lease; refusal?: ApiError } = {};
  const cancel = from.waitForLarge(bytes, holder, {
    onGrant: (lease) => {
      outcome.lease = lease;
    },
    onRefusal: (refusal) => {
      outcome.refusal = refusal;
    },
  });
  return { outcome, cancel };
}

test('large bodies never take the memory reserved for small ones', () => {
  const memory = budget();
  assert.ok(memory.tryTakeLarge(1000, anyone));
  assert.equal(memory.tryTakeLarge(1, anyone), undefined);
  assert.equal(memory.small.take(100, anyone).bytes, 100);
  assert.throws(() => memory.small.take(1, anyone), { code: 1503, retryAfterSeconds: 1 });
});

test('one address takes at most half of the memory, and others can use the rest', () => {
  const memory = budget();
  memory.small.take(50, a);
  assert.throws(() => memory.small.take(1, a), { code: 1503 });
  memory.small.take(50, b);
  assert.ok(memory.tryTakeLarge(500, a));
  assert.equal(memory.tryTakeLarge(1, a), undefined);
  assert.ok(memory.tryTakeLarge(500, b));
});

test('all clients of a proxy that is not named leave a quarter of the memory for large bodies to others', () => {
  const memory = budget();
  const proxy = bodyHolder(undefined, '192.0.2.1');
  assert.ok(memory.tryTakeLarge(750, proxy));
  assert.equal(memory.tryTakeLarge(1, proxy), undefined);
  assert.ok(memory.tryTakeLarge(250, bodyHolder('192.0.2.2', '192.0.2.2')));
});

test('a single body may be larger than the share of its sender', () => {
  assert.ok(budget().tryTakeLarge(900, a));
});

test('returned bytes become available again, only once', () => {
  const memory = budget();
  const lease = memory.tryTakeLarge(1000, a);
  lease?.release();
  lease?.release();
  assert.equal(memory.takenBytes, 0);
  assert.ok(memory.tryTakeLarge(1000, a));
});

test('large bodies get memory in order of arrival', () => {
  const memory = budget();
  const first = memory.tryTakeLarge(800, anyone);
  const second = waiting(memory, 600, anyone);
  const third = waiting(memory, 100, anyone);
  assert.equal(memory.tryTakeLarge(100, anyone), undefined, 'nobody overtakes one that waits for room');
  first?.release();
  assert.equal(second.outcome.lease?.bytes, 600);
  assert.equal(third.outcome.lease?.bytes, 100);
});

test('a body that waits for the share of its sender lets others pass', () => {
  const memory = budget();
  const first = memory.tryTakeLarge(400, a);
  const second = waiting(memory, 400, a);
  assert.ok(memory.tryTakeLarge(400, b));
  assert.deepEqual(second.outcome, {});
  first?.release();
  assert.equal(second.outcome.lease?.bytes, 400);
});

test('a body that gives up makes way for those behind it', () => {
  const memory = budget();
  memory.tryTakeLarge(500, anyone);
  const first = waiting(memory, 900, anyone);
  const second = waiting(memory, 400, anyone);
  first.cancel();
  assert.equal(second.outcome.lease?.bytes, 400);
  assert.deepEqual(first.outcome, {});
});

test('waiting for memory ends with 1503 after 15 seconds', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = budget();
  memory.tryTakeLarge(1000, anyone);
  const { outcome } = waiting(memory, 100, anyone);
  t.mock.timers.tick(14_999);
  assert.deepEqual(outcome, {});
  t.mock.timers.tick(1);
  assert.equal(outcome.refusal?.code, 1503);
  assert.equal(memory.takenBytes, 1000);
});

test('a body that got memory, or gave up, is never refused later', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = budget();
  const first = memory.tryTakeLarge(1000, anyone);
  const granted = waiting(memory, 500, anyone);
  const cancelled = waiting(memory, 600, anyone);
  first?.release();
  cancelled.cancel();
  granted.cancel();
  t.mock.timers.tick(60_000);
  assert.equal(granted.outcome.refusal, undefined);
  assert.deepEqual(cancelled.outcome, {});
  assert.equal(memory.takenBytes, 500);
});

test('a refused body makes way for those behind it and gets no memory later', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const memory = budget();
  const first = memory.tryTakeLarge(500, anyone);
  const refused = waiting(memory, 900, anyone);
  t.mock.timers.tick(1_000);
  const behind = waiting(memory, 400, anyone);
  t.mock.timers.tick(14_000);
  assert.equal(refused.outcome.refusal?.code, 1503);
  assert.equal(refused.outcome.refusal?.cause, 'no memory for 900 bytes became free within 15 seconds');
  assert.equal(behind.outcome.lease?.bytes, 400);
  first?.release();
  assert.equal(refused.outcome.lease, undefined);
});

test('a thousand bodies may wait at once; one more is refused, asynchronously', async () => {
  const memory = budget();
  memory.tryTakeLarge(1000, anyone);
  const thousand = Array.from({ length: 1_000 }, () => waiting(memory, 1, anyone));
  const more = waiting(memory, 1, anyone);
  assert.deepEqual(more.outcome, {});
  await Promise.resolve();
  assert.equal(more.outcome.refusal?.code, 1503);
  assert.ok(thousand.every(({ outcome }) => outcome.refusal === undefined));
  for (const { cancel } of thousand) cancel();
});

test("a released body leaves its sender's other bodies counted", () => {
  const memory = budget();
  const first = memory.tryTakeLarge(100, a);
  memory.tryTakeLarge(200, a);
  first?.release();
  assert.equal(memory.takenBytes, 200);
  assert.equal(memory.tryTakeLarge(301, a), undefined);
  assert.ok(memory.tryTakeLarge(300, a));
});

test('returned memory skips a body that waits for the share of its sender', () => {
  const memory = budget();
  const own = memory.tryTakeLarge(400, a);
  const other = memory.tryTakeLarge(300, b);
  const forShare = waiting(memory, 200, a);
  const forRoom = waiting(memory, 350, c);
  other?.release();
  assert.deepEqual(forShare.outcome, {});
  assert.equal(forRoom.outcome.lease?.bytes, 350);
  own?.release();
  assert.equal(forShare.outcome.lease?.bytes, 200);
});

test('an unfinished body of which nothing arrives gives way to others as time goes by', () => {
  const memory = budget();
  let refused: number | undefined;
  const slow = memory.small.hold(100, a, {
    arrivedBytes: 0,
    waits: false,
    giveWay({ code }) {
      refused = code;
      slow.release();
    },
  });
  const begunMs = performance.now();
  while (performance.now() === begunMs);
  memory.small.take(50, b);
  assert.equal(refused, 1503);
});
