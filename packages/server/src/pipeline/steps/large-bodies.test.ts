import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Deadline } from '../../time/deadline.ts';
import { LargeBodies } from './large-bodies.ts';

const kibibyte = 1024;

/** Begins to carry out a body; `begun` shows whether it is its turn. */
function carryOut(bodies: LargeBodies, owner: string, kibibytes: number, totalMs = 60_000) {
  const { promise, resolve: finish } = Promise.withResolvers<string>();
  const gone = new AbortController();
  const work = { begun: false, finish, disconnect: () => gone.abort() };
  const waiting = {
    call: { disconnectSignal: () => gone.signal },
    bodyBytes: kibibytes * kibibyte,
    deadline: new Deadline(totalMs, { owner }),
  };
  const result = bodies.run(waiting, () => {
    work.begun = true;
    return promise;
  });
  result.catch(() => {});
  return Object.assign(work, { result });
}

function waitingIn(bodies: LargeBodies): number {
  const [queued] = bodies.metricSources();
  return Number(queued?.read());
}

test('large bodies are carried out together as far as they fit, the others in the order of their arrival', async () => {
  const bodies = new LargeBodies(1000 * kibibyte);
  const [first, second] = [carryOut(bodies, 'a', 500), carryOut(bodies, 'b', 400)];
  const [third, fourth] = [carryOut(bodies, 'c', 200), carryOut(bodies, 'd', 100)];
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

test('one application gets half of the room, and a body that is larger than that goes alone', async () => {
  const bodies = new LargeBodies(1000 * kibibyte);
  const own = [carryOut(bodies, 'a', 300), carryOut(bodies, 'a', 300)];
  const other = carryOut(bodies, 'b', 600);
  await nextIteration();
  assert.deepEqual([own[0]?.begun, own[1]?.begun, other.begun], [true, false, true]);
});

test('a body of 64 KiB never waits', async () => {
  const bodies = new LargeBodies(1000 * kibibyte);
  carryOut(bodies, 'a', 1000);
  const [small, large] = [carryOut(bodies, 'a', 64), carryOut(bodies, 'b', 65)];
  await nextIteration();
  assert.deepEqual([small.begun, large.begun], [true, false]);
});

test('work that fails gives its room back', async () => {
  const bodies = new LargeBodies(1000 * kibibyte);
  const failing = bodies.run(
    {
      call: { disconnectSignal: () => new AbortController().signal },
      bodyBytes: 1000 * kibibyte,
      deadline: new Deadline(60_000, { owner: 'a' }),
    },
    () => Promise.reject(new RangeError('not today')),
  );
  await assert.rejects(failing, RangeError);
  assert.equal(carryOut(bodies, 'a', 1000).begun, true);
});

test('a body whose caller leaves, or whose time is over, waits no longer', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bodies = new LargeBodies(1000 * kibibyte);
  carryOut(bodies, 'a', 1000);
  const [left, late] = [carryOut(bodies, 'b', 200), carryOut(bodies, 'c', 200, 5_000)];
  await nextIteration();
  left.disconnect();
  await assert.rejects(left.result, /the caller has disconnected/);
  t.mock.timers.tick(5_000);
  await assert.rejects(late.result, /no room for 204800 bytes within \d/);
  assert.equal(waitingIn(bodies), 0);
  assert.deepEqual([left.begun, late.begun], [false, false]);
});
