import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ApiError } from '../../errors/api-error.ts';
import type { Holder } from '../../fairness/memory-pool.ts';
import { BodyBudget } from './body-budget.ts';
import { BodyChecks } from './body-checks.ts';
import { KeptBytes } from './kept-bytes.ts';

const mebibyte = 1024 * 1024;
const largestSmall = 64 * 1024;
const overhead = 1024;
const anyone = { name: '', partMax: 1 };

/** Starts to keep a body, with a flow that records how it is paused. */
function keep({
  announcedBytes,
  bytesMax = mebibyte,
  budget = new BodyBudget({ smallBytes: mebibyte, largeBytes: 2 * mebibyte }),
  holder = anyone,
}: {
  announcedBytes?: number;
  bytesMax?: number;
  budget?: BodyBudget;
  holder?: Holder;
} = {}) {
  const flowed: string[] = [];
  const refusals: ApiError[] = [];
  const record = (what: string) => () => void flowed.push(what);
  const flow = {
    isPaused: () => flowed.at(-2) === 'pause',
    pause: record('pause'),
    resume: record('resume'),
    socket: { pause: record('pause the socket'), resume: record('resume the socket') },
  };
  const kept = new KeptBytes(budget, {
    announcedBytes,
    bytesMax,
    holder,
    flow: flow as unknown as IncomingMessage,
    onRefusal: (refusal) => void refusals.push(refusal),
  });
  return { kept, budget, flowed, refusals };
}

test('a body that is one chunk is kept as it arrived, and counted with its overhead', async () => {
  const { kept, budget } = keep({ announcedBytes: 5 });
  const chunk = Buffer.from('hello');
  kept.add(chunk);
  assert.equal(budget.takenBytes, 5 + overhead);
  const { bytes } = await kept.finish();
  assert.equal(bytes.toString(), 'hello');
  assert.deepEqual([bytes.buffer, bytes.byteOffset], [chunk.buffer, chunk.byteOffset]);
  kept.release();
  assert.equal(budget.takenBytes, 0);
});

test('a small body takes twice what has arrived, but at least 4 KiB, and no more than it announces', async () => {
  const { kept, budget } = keep({ announcedBytes: 10_000 });
  for (const [length, taken] of [
    [1, 4096],
    [4095, 4096],
    [1, 8194],
    [4097, 8194],
    [1806, 10_000],
  ] as const) {
    kept.add(Buffer.alloc(length, 'a'));
    assert.equal(budget.takenBytes, taken + overhead);
  }
  assert.equal((await kept.finish()).bytes.toString(), 'a'.repeat(10_000));
  kept.release();
  assert.equal(budget.takenBytes, 0);
});

test('a short body that comes in pieces takes no more than it announces', async () => {
  const { kept, budget } = keep({ announcedBytes: 10 });
  for (const text of ['hell', 'o worl']) {
    kept.add(Buffer.from(text));
    assert.equal(budget.takenBytes, 10 + overhead);
  }
  assert.equal((await kept.finish()).bytes.toString(), 'hello worl');
});

test('a body of unknown length takes twice what has arrived, but at least 4 KiB and at most the limit', async () => {
  const bytesMax = 12_000;
  const { kept, budget } = keep({ bytesMax });
  let expected = '';
  for (const [length, taken] of [
    [4, 4096],
    [4092, 4096],
    [1, 8194],
    [4097, 8194],
    [1, bytesMax],
  ] as const) {
    const text = String.fromCharCode(97 + (expected.length % 26)).repeat(length);
    expected += text;
    kept.add(Buffer.from(text));
    assert.equal(budget.takenBytes, taken + overhead, `after ${expected.length} bytes`);
  }
  assert.equal((await kept.finish()).bytes.toString(), expected);
});

test('a body without room among the small ones is refused, and nothing of it is kept', async () => {
  const { kept, refusals } = keep({ budget: new BodyBudget({ smallBytes: 100, largeBytes: 0 }) });
  kept.add(Buffer.from('hello'));
  assert.deepEqual(
    refusals.map(({ code }) => code),
    [1503],
  );
  assert.equal((await kept.finish()).bytes.length, 0);
});

test('an unfinished body gives its memory to others, and is refused; a complete one keeps it', async () => {
  const budget = new BodyBudget({ smallBytes: 4096 + overhead, largeBytes: 0 }, () => nowMs);
  let nowMs = 0;
  const { kept: first, refusals } = keep({ announcedBytes: 5000, budget });
  first.add(Buffer.from('a'));
  nowMs = 1;
  const { kept: second } = keep({ announcedBytes: 5000, budget });
  second.add(Buffer.from('b'));
  assert.deepEqual(
    refusals.map(({ code }) => code),
    [1503],
  );
  assert.equal(budget.takenBytes, 4096 + overhead);
  await second.finish();
  nowMs = 10_000;
  const third = keep({ announcedBytes: 5000, budget });
  third.kept.add(Buffer.from('c'));
  assert.equal(third.refusals.length, 1);
  second.release();
  assert.equal(budget.takenBytes, 0);
});

test('a body that arrives in one chunk is complete with it, and gives way to none', () => {
  const budget = new BodyBudget({ smallBytes: 5000 + overhead, largeBytes: 0 }, () => nowMs);
  let nowMs = 0;
  const { kept, refusals } = keep({ announcedBytes: 5000, budget });
  kept.add(Buffer.alloc(5000));
  nowMs = 10_000;
  assert.throws(() => budget.small.take(1, anyone), { code: 1503 });
  assert.equal(refusals.length, 0);
});

test('a body of exactly 64 KiB waits for no large ones', () => {
  const budget = new BodyBudget({ smallBytes: mebibyte, largeBytes: 1 });
  budget.tryTakeLarge(1, anyone);
  const { kept } = keep({ announcedBytes: largestSmall, budget });
  kept.add(Buffer.from('a'));
  assert.equal(kept.waits, false);
});

test('a body that waits to become large gives its memory to small ones at once', async () => {
  const budget = new BodyBudget({ smallBytes: 4096 + overhead, largeBytes: 0 }, () => 0);
  const { kept, refusals, flowed } = keep({ announcedBytes: largestSmall + 1, budget });
  budget.tryTakeLarge(1, anyone);
  kept.add(Buffer.from('a'));
  if (!kept.waits) return;
  await nextIteration();
  budget.small.take(100, anyone);
  assert.deepEqual([kept.waits, refusals.length, budget.takenBytes], [false, 1, 100]);
  assert.deepEqual(flowed, ['pause', 'pause the socket', 'resume', 'resume the socket']);
});

test('a body that is announced as large takes all its memory at once, and none of the small ones’', async () => {
  const announcedBytes = largestSmall + 1;
  const { kept, budget } = keep({ announcedBytes });
  for (const length of [0, 1, largestSmall]) {
    kept.add(Buffer.alloc(length, 'a'));
    assert.equal(budget.takenBytes, announcedBytes + overhead);
    assert.equal(kept.waits, false);
  }
  assert.equal((await kept.finish()).bytes.toString(), 'a'.repeat(announcedBytes));
  kept.release();
  assert.equal(budget.takenBytes, 0);
});

test('the first chunk of a body that is announced as large makes a buffer for all of it, so that none is copied', async () => {
  const announcedBytes = 10 * largestSmall;
  const { kept } = keep({ announcedBytes });
  kept.add(Buffer.from('a'));
  assert.equal((await kept.finish()).bytes.buffer.byteLength, announcedBytes);
});

test('a body of unknown length becomes large beyond 64 KiB, and may then reach the limit', async () => {
  const { kept, budget } = keep();
  kept.add(Buffer.alloc(largestSmall, 'a'));
  assert.equal(budget.takenBytes, 2 * largestSmall + overhead);
  for (const length of [1, 2 * largestSmall]) {
    kept.add(Buffer.alloc(length, 'b'));
    assert.equal(budget.takenBytes, mebibyte + overhead);
  }
  assert.equal(
    (await kept.finish()).bytes.toString(),
    'a'.repeat(largestSmall) + 'b'.repeat(2 * largestSmall + 1),
  );
  kept.release();
  assert.equal(budget.takenBytes, 0);
});

test('a large body without room is paused after an iteration of the event loop, and goes on once there is room', async (t) => {
  const { budget } = keep();
  const others = budget.tryTakeLarge(2 * mebibyte, anyone);
  const waitForLarge = t.mock.method(budget, 'waitForLarge');
  const { kept, flowed } = keep({ budget });
  kept.add(Buffer.alloc(largestSmall + 1, 'a'));
  kept.add(Buffer.from('b'));
  assert.equal(waitForLarge.mock.callCount(), 1);
  assert.deepEqual([kept.waits, flowed], [true, []]);
  await nextIteration();
  assert.deepEqual(flowed, ['pause', 'pause the socket']);
  others?.release();
  assert.deepEqual(flowed, ['pause', 'pause the socket', 'resume', 'resume the socket']);
  assert.deepEqual([kept.waits, budget.takenBytes], [false, mebibyte + overhead]);
  assert.equal((await kept.finish()).bytes.toString(), `${'a'.repeat(largestSmall + 1)}b`);
});

test('a large body that is announced takes little while it waits, and is not paused if room comes in the same iteration', async () => {
  const { budget } = keep();
  const others = budget.tryTakeLarge(2 * mebibyte, anyone);
  const { kept, flowed } = keep({ budget, announcedBytes: largestSmall + 1 });
  kept.add(Buffer.from('a'));
  assert.equal(budget.takenBytes, 2 * mebibyte + 4096 + overhead);
  others?.release();
  await nextIteration();
  assert.deepEqual([kept.waits, flowed], [false, []]);
});

test('a body that does not wait leaves a flow alone that something else has paused', () => {
  const { kept, flowed } = keep();
  flowed.push('pause', 'by another');
  kept.release();
  assert.deepEqual(flowed, ['pause', 'by another']);
});

test('only bodies beyond 64 KiB are hashed and checked as they arrive', async (t) => {
  const small = keep({ announcedBytes: largestSmall });
  small.kept.add(Buffer.alloc(largestSmall, 'a'));
  assert.deepEqual(Object.keys(await small.kept.finish()), ['bytes']);
  const add = t.mock.method(BodyChecks.prototype, 'add');
  const { kept } = keep({ announcedBytes: 3 * largestSmall });
  for (const length of [largestSmall, largestSmall, 1, largestSmall - 1]) kept.add(Buffer.alloc(length, 'a'));
  const { bytes, ...checks } = await kept.finish();
  assert.deepEqual(checks, { md5: hash('md5', bytes, 'base64'), isUtf8: true });
  assert.deepEqual(
    add.mock.calls.map(({ arguments: [whole] }) => whole.length),
    [2 * largestSmall, 2 * largestSmall + 1, 3 * largestSmall],
  );
});

/** Makes a reserve in which one body waits for large memory ahead of another, whose memory its end makes free. */
function twoWaiting(smallBytes: number) {
  const clock = { nowMs: 0 };
  const budget = new BodyBudget({ smallBytes, largeBytes: 10 * mebibyte }, () => clock.nowMs);
  const taken = budget.tryTakeLarge(6 * mebibyte, { name: 'other', partMax: 1 });
  const first = keep({ announcedBytes: 6 * mebibyte, bytesMax: 20 * mebibyte, budget });
  first.kept.add(Buffer.alloc(largestSmall));
  const second = keep({
    announcedBytes: mebibyte,
    bytesMax: 20 * mebibyte,
    budget,
    holder: { name: 'second', partMax: 1 },
  });
  return {
    budget,
    clock,
    first,
    second,
    releaseAll() {
      for (const each of [taken, first.kept, second.kept]) each?.release();
    },
  };
}

test('a body that gets large memory while it grows, because another one gave way, leaves no memory behind', () => {
  const { budget, first, second, releaseAll } = twoWaiting(400 * 1024);
  second.kept.add(Buffer.alloc(largestSmall));
  assert.deepEqual([first.kept.waits, second.kept.waits], [true, true]);
  second.kept.add(Buffer.alloc(60 * 1024));
  second.kept.add(Buffer.alloc(largestSmall));
  assert.deepEqual([first.refusals.length, second.refusals.length], [1, 0]);
  assert.equal(second.kept.waits, false);
  assert.equal(budget.small.taken, 0);
  releaseAll();
  assert.equal(budget.takenBytes, 0);
});

test('a body that gets large memory while it grows is not refused, though too little is free for small ones', async () => {
  const { budget, first, second, releaseAll } = twoWaiting(400 * 1024);
  second.kept.add(Buffer.alloc(largestSmall, 'a'));
  const complete = budget.small.take(140 * 1024, { name: 'third', partMax: 1 });
  second.kept.add(Buffer.alloc(134 * 1024, 'b'));
  assert.deepEqual([first.refusals.length, second.refusals.length], [1, 0]);
  const { bytes } = await second.kept.finish();
  assert.equal(bytes.toString(), 'a'.repeat(largestSmall) + 'b'.repeat(134 * 1024));
  complete.release();
  releaseAll();
  assert.equal(budget.takenBytes, 0);
});

test('a body that gets large memory with its first chunk holds no small memory, and never gives way', () => {
  const { budget, clock, first, second, releaseAll } = twoWaiting(140 * 1024);
  second.kept.add(Buffer.alloc(40 * 1024));
  assert.equal(first.refusals.length, 1);
  assert.equal(budget.small.taken, 0);
  clock.nowMs = 60_000;
  budget.small.take(100 * 1024, { name: 'newcomer', partMax: 1 }).release();
  assert.equal(second.refusals.length, 0);
  releaseAll();
  assert.equal(budget.takenBytes, 0);
});

test('a body is judged by what has arrived with the chunk that needs the memory', () => {
  const clock = { nowMs: 0 };
  const budget = new BodyBudget({ smallBytes: largestSmall, largeBytes: mebibyte }, () => clock.nowMs);
  const { kept, refusals } = keep({ announcedBytes: 60 * 1024, budget });
  kept.add(Buffer.alloc(1_400));
  const rest = budget.small.take(largestSmall - budget.small.taken - 10_000, { name: 'other', partMax: 1 });
  clock.nowMs = 100;
  kept.add(Buffer.alloc(60 * 1024 - 1_400));
  assert.equal(refusals[0]?.cause, 'the reserve for small bodies is used up');
  rest.release();
});
