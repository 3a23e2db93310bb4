import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Deadline } from '../../time/deadline.ts';
import { LargeBodies } from './large-bodies.ts';

const kibibyte = 1024;

/** Bodies of more than 1 MiB have this much together, with 977 KiB for the objects of each; smaller ones a quarter of it. */
const roomKibibytes = 8 * 1024;

/**
 * Begins to carry out a body; `begun` shows whether it is its turn.
 *
 * @param size of a body without objects, in kibibytes, or the body
 */
function carryOut(
  bodies: LargeBodies,
  owner: string,
  size: number | string,
  { totalMs = 60_000, signal }: { totalMs?: number; signal?: AbortSignal } = {},
) {
  const { promise, resolve: finish, reject: fail } = Promise.withResolvers<string>();
  const gone = new AbortController();
  const work = {
    begun: false,
    hasWaited: false,
    finish,
    fail,
    disconnect: () => gone.abort(),
    giveBack() {},
  };
  const waiting = {
    call: { disconnectSignal: () => signal ?? gone.signal },
    body: typeof size === 'number' ? Buffer.alloc(size * kibibyte) : Buffer.from(size),
    deadline: new Deadline(totalMs, { owner }),
  };
  const result = bodies.run(waiting, (turn) => {
    Object.assign(work, { begun: true, ...turn });
    return promise;
  });
  result.catch(() => {});
  return Object.assign(work, { result });
}

function waitingIn(bodies: LargeBodies): number {
  const [queued] = bodies.metricSources();
  return Number(queued?.read());
}

test('large bodies are carried out together as far as they fit, the others when there is room', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const [first, second] = [carryOut(bodies, 'a', 3000), carryOut(bodies, 'b', 3000)];
  const [third, fourth] = [carryOut(bodies, 'c', 1100), carryOut(bodies, 'd', 1100)];
  await nextIteration();
  assert.deepEqual(
    [first, second, third, fourth].map(({ begun }) => begun),
    [true, true, false, false],
  );
  assert.equal(waitingIn(bodies), 2);
  second.finish('done');
  assert.equal(await second.result, 'done');
  await nextIteration();
  assert.deepEqual([third.begun, fourth.begun, waitingIn(bodies)], [true, true, 0]);
});

test('memory that a call gives back before it ends goes to the next, once', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const [first, second, third] = ['a', 'b', 'c'].map((owner) => carryOut(bodies, owner, roomKibibytes));
  const begun = () => [first, second, third].map((body) => body?.begun);
  first?.giveBack();
  await nextIteration();
  assert.deepEqual(begun(), [true, true, false]);
  first?.finish('done');
  assert.equal(await first?.result, 'done');
  await nextIteration();
  assert.deepEqual(begun(), [true, true, false]);
  second?.giveBack();
  await nextIteration();
  assert.deepEqual(begun(), [true, true, true], 'also memory for which it had to wait');
});

test('one application gets half of the room, and a body that is larger than that goes alone', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const own = [carryOut(bodies, 'a', 3000), carryOut(bodies, 'a', 3000)];
  const other = carryOut(bodies, 'b', 3100);
  await nextIteration();
  assert.deepEqual([own[0]?.begun, own[1]?.begun, other.begun], [true, false, true]);
});

test('applications take turns, however much one of them sends', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const own = Array.from({ length: 3 }, () => carryOut(bodies, 'a', roomKibibytes));
  const other = carryOut(bodies, 'b', roomKibibytes);
  const begun = () => [...own, other].map((body) => body.begun);
  await nextIteration();
  assert.deepEqual(begun(), [true, false, false, false]);
  own[0]?.finish('');
  await nextIteration();
  assert.deepEqual(begun(), [true, false, false, true]);
  other.finish('');
  await nextIteration();
  assert.deepEqual(begun(), [true, true, false, true]);
});

test('a body of up to 1 MiB does not wait for larger ones, and one of 64 KiB for none', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  carryOut(bodies, 'a', roomKibibytes);
  const [middle, larger] = [carryOut(bodies, 'b', 1024), carryOut(bodies, 'b', 1025)];
  const [next, beyond, small] = [
    carryOut(bodies, 'c', 1024),
    carryOut(bodies, 'd', 65),
    carryOut(bodies, 'd', 64),
  ];
  await nextIteration();
  assert.deepEqual(
    [middle, larger, next, beyond, small].map(({ begun }) => begun),
    [true, false, true, false, true],
  );
});

test('each object counts as a hundred bytes more, up to ten thousand of them', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const own = Array.from({ length: 2 }, () => carryOut(bodies, 'a', '{},'.repeat(9_000)));
  const most = carryOut(bodies, 'b', '{'.repeat(20_000));
  await nextIteration();
  assert.deepEqual(
    [...own, most].map(({ begun }) => begun),
    [true, false, true],
    'half of 2 MiB has room for one',
  );
});

test('a body of less than 1 KiB never waits, whatever objects it has', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  for (const owner of ['a', 'b']) carryOut(bodies, owner, 1024);
  const [small, larger] = [1023, 1024].map((length) => carryOut(bodies, 'c', '{'.repeat(length)));
  await nextIteration();
  assert.deepEqual([small?.begun, larger?.begun], [true, false]);
});

test('however many bodies of some applications wait, another one gets its turn', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const held = carryOut(bodies, 'a', roomKibibytes);
  for (const owner of ['a', 'b'])
    for (let count = 0; count < 600; count += 1) carryOut(bodies, owner, roomKibibytes);
  assert.equal(waitingIn(bodies), 1_000);
  await assert.rejects(carryOut(bodies, 'b', 2_000).result, /1000 others are already waiting/);
  const other = carryOut(bodies, 'c', roomKibibytes);
  assert.equal(waitingIn(bodies), 1_001);
  await assert.rejects(carryOut(bodies, 'c', 2_000).result, /1001 others are already waiting/);
  held.finish('');
  await nextIteration();
  assert.equal(other.begun, false, 'b waits for longer');
});

test('work is told whether it had to wait', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const [first, second] = [carryOut(bodies, 'a', roomKibibytes), carryOut(bodies, 'b', 2000)];
  const small = carryOut(bodies, 'c', 64);
  first.finish('');
  await first.result;
  await nextIteration();
  assert.deepEqual([first.hasWaited, second.hasWaited, small.hasWaited], [false, true, false]);
});

test('work that fails gives its room back', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const failing = carryOut(bodies, 'a', roomKibibytes);
  failing.fail(new RangeError('not today'));
  await assert.rejects(failing.result, RangeError);
  assert.equal(carryOut(bodies, 'a', roomKibibytes).begun, true);
});

test('a body whose caller leaves, or whose time is over, waits no longer', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  carryOut(bodies, 'a', roomKibibytes);
  const left = carryOut(bodies, 'b', 2000);
  const late = carryOut(bodies, 'c', 2000, { totalMs: 5_000 });
  const latest = carryOut(bodies, 'd', 2000, { totalMs: 100_000 });
  await nextIteration();
  left.disconnect();
  await assert.rejects(left.result, /the caller disconnected while its work waited/);
  t.mock.timers.tick(5_000);
  await assert.rejects(late.result, /no memory for 3048000 bytes became free within 5 seconds/);
  t.mock.timers.tick(54_999);
  assert.equal(waitingIn(bodies), 1);
  t.mock.timers.tick(1);
  await assert.rejects(latest.result, /within 60 seconds/);
  assert.equal(waitingIn(bodies), 0);
  assert.deepEqual([left.begun, late.begun, latest.begun], [false, false, false]);
});

test('a body whose caller has left before it has to wait is not carried out', async () => {
  const bodies = new LargeBodies(roomKibibytes * kibibyte, (roomKibibytes * kibibyte) / 4);
  const first = carryOut(bodies, 'a', roomKibibytes);
  const left = carryOut(bodies, 'b', 2000, { signal: AbortSignal.abort() });
  await assert.rejects(left.result, /the caller disconnected while its work waited/);
  assert.equal(waitingIn(bodies), 0);
  first.finish('');
  await nextIteration();
  assert.equal(left.begun, false);
});
