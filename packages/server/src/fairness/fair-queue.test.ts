import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type TestContext, test } from 'node:test';
import { BusyError, TooManyWaitError } from '../errors/busy-error.ts';
import { FairQueue, type FairQueueOptions, type JobOptions } from './fair-queue.ts';

/** Returns a queue whose jobs end when the test decides. */
function startQueue(slots: number, burstMax = 100, more: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ things: 'passwords', slots, burstMax, standingMax: 2, ...more });
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const add = (name: string, job: Partial<JobOptions> = {}) =>
    queue.run({ owner: 'a', costly: false, ...job }, () => {
      started.push(name);
      return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await new Promise(setImmediate);
  };
  return { add, end, started, running, queue };
}

test('applications take turns, however many jobs one of them has', async () => {
  const { add, end, started } = startQueue(2);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void add(name);
  for (const name of ['b1', 'b2']) void add(name, { owner: 'b' });
  void add('c1', { owner: 'c' });
  for (let index = 0; index < 6; index += 1) await end(started[index] ?? '');
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
});

test('groups take turns, however many owners they have, and so do the owners of each', async () => {
  const { add, end, started, queue } = startQueue(2);
  for (const name of ['x1', 'x2']) void add(name, { owner: 'x', group: 'x' });
  for (const owner of ['a', 'b', 'c'])
    for (const index of [1, 2]) void add(`${owner}${index}`, { owner, group: 'large' });
  for (const name of ['d1', 'd2', 'd3']) void add(name, { owner: 'd', group: 'small' });
  assert.equal(queue.waiting, 9);
  for (let index = 0; index < 9; index += 1) await end(started[index] ?? '');
  assert.deepEqual(started.slice(2), ['a1', 'd1', 'b1', 'd2', 'c1', 'd3', 'a2', 'b2', 'c2']);
  assert.equal(queue.waiting, 0);
});

test('the limits apply to each owner of a group, and one that leaves makes room', async () => {
  const { add, queue } = startQueue(2, 1);
  const caller = new AbortController();
  const group = 'tenant';
  for (const name of ['r1', 'r2']) void add(name, { owner: 'r', group });
  const leaving = add('a1', { owner: 'a', group, signal: caller.signal });
  await assert.rejects(add('a2', { owner: 'a', group }), /^BusyError: 1 passwords of a are already waiting$/);
  void add('b1', { owner: 'b', group });
  caller.abort();
  await assert.rejects(leaving, BusyError);
  void add('a3', { owner: 'a', group });
  assert.equal(queue.waiting, 2);
});

test('costly jobs leave a slot for ordinary ones', async () => {
  const { add, end, started } = startQueue(3);
  for (const name of ['x1', 'x2', 'x3']) void add(name, { costly: true });
  assert.deepEqual(started, ['x1', 'x2']);
  void add('o1', { owner: 'b' });
  assert.deepEqual(started, ['x1', 'x2', 'o1'], 'it did not wait');
  await end('o1');
  assert.deepEqual(started, ['x1', 'x2', 'o1']);
  await end('x1');
  assert.deepEqual(started, ['x1', 'x2', 'o1', 'x3']);
});

test('a job whose caller disconnects while it waits never starts', async () => {
  const { add, end, started } = startQueue(2);
  const caller = new AbortController();
  void add('a1');
  void add('a2');
  const dropped = add('dropped', { signal: caller.signal });
  void add('a3');
  caller.abort();
  await assert.rejects(dropped, BusyError);
  await assert.rejects(add('late', { signal: caller.signal }), BusyError);
  await end('a1');
  await end('a2');
  assert.deepEqual(started, ['a1', 'a2', 'a3']);
});

test('a running job returns its result or its error even if its caller disconnects', async () => {
  const { add, end } = startQueue(2);
  const caller = new AbortController();
  const result = add('a1', { signal: caller.signal });
  caller.abort();
  await end('a1');
  assert.equal(await result, 'a1');
  const queue = new FairQueue({ things: 'passwords', slots: 2, burstMax: 1, standingMax: 1 });
  const failing = queue.run({ owner: 'a', costly: true }, () => Promise.reject(new Error('no memory')));
  await assert.rejects(failing, /no memory/);
  assert.equal(await queue.run({ owner: 'a', costly: true }, async () => 'next'), 'next');
});

test('one more job of an application with too many waiting is refused; another application’s is not', async () => {
  const { add, started, end } = startQueue(2, 2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name, { costly: name === 'a4' });
  await assert.rejects(add('a5'), /2 passwords of a are already waiting/);
  void add('b1', { owner: 'b' });
  for (const name of ['a1', 'a2', 'a3']) await end(name);
  assert.ok(started.includes('b1'));
});

test('a patient job waits even if too many jobs of its application wait', async () => {
  const { add, started, end } = startQueue(2, 2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name);
  await assert.rejects(add('a5'), TooManyWaitError);
  const part = add('part', { patient: true });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'part']) await end(name);
  assert.equal(await part, 'part');
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'a4', 'part']);
});

test('patient jobs that wait leave the others of their application as much room as without them', async () => {
  const { add, end, started } = startQueue(2, 2);
  for (const name of ['a1', 'a2']) void add(name);
  for (const name of ['part1', 'part2']) void add(name, { patient: true });
  for (const name of ['a3', 'a4']) void add(name);
  await assert.rejects(add('a5'), /^BusyError: 2 passwords of a are already waiting$/);
  const order = ['a1', 'a2', 'part1', 'part2', 'a3', 'a4'];
  for (const name of order) await end(name);
  assert.deepEqual(started, order);
});

test('a queue needs a second slot, which costly jobs leave free', () => {
  assert.throws(() => startQueue(1), RangeError);
});

test('a job is an ordinary one unless it says otherwise', async () => {
  const { queue, running } = startQueue(2);
  const done = queue.run({ owner: 'a' }, async () => 'first');
  void queue.run({ owner: 'a' }, () => new Promise<void>((resolve) => running.set('second', resolve)));
  assert.ok(running.has('second'), 'it has the last slot');
  running.get('second')?.();
  assert.equal(await done, 'first');
});

test('the number of waiting jobs counts costly and ordinary ones of all applications', async () => {
  const { add, end, queue } = startQueue(2);
  const jobs = [add('a1'), add('a2')];
  assert.equal(queue.waiting, 0);
  jobs.push(add('x1', { costly: true }), add('x2', { costly: true }), add('b1', { owner: 'b' }));
  assert.equal(queue.waiting, 3);
  for (const name of ['a1', 'a2', 'x1', 'b1', 'x2']) await end(name);
  await Promise.all(jobs);
  assert.equal(queue.waiting, 0);
});

/** Fills both slots, lets four jobs of an application wait for more than half a second, and then ends a running one. */
async function overload(t: TestContext, more: Partial<FairQueueOptions> = {}, job: Partial<JobOptions> = {}) {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const queue = startQueue(2, 100, more);
  void queue.add('r1', { owner: 'r' });
  void queue.add('r2', { owner: 'r' });
  const waiting = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.add(name, job));
  for (const job of waiting) job.catch(() => {});
  nowMs = 501;
  await queue.end('r1');
  const waitMs = (ms: number) => {
    nowMs += ms;
  };
  return { ...queue, waiting, waitMs };
}

test('of jobs that wait without a break, only the newest few stay, and the others are refused', async (t) => {
  const { waiting, started, add, queue } = await overload(t);
  const refused = { name: 'BusyError', message: 'too many passwords of this application are waiting' };
  for (const job of waiting.slice(0, 2)) {
    await assert.rejects(job, refused);
    await assert.rejects(job, TooManyWaitError);
  }
  assert.deepEqual(started, ['r1', 'r2', 'a3']);
  void add('a5');
  assert.equal(queue.waiting, 2);
  await assert.rejects(add('a6'), /^BusyError: 2 passwords of a are already waiting$/);
});

test('a patient job is not refused because others wait', async (t) => {
  const { add, started, queue, end } = await overload(t, {}, { patient: true });
  assert.deepEqual(started, ['r1', 'r2', 'a1']);
  const more = add('a5', { patient: true });
  assert.equal(queue.waiting, 4);
  for (const name of ['r2', 'a1', 'a2', 'a3', 'a4', 'a5']) await end(name);
  assert.equal(await more, 'a5');
});

test('a queue that was cut stays short for the given time after the last refusal, even if it was empty', async (t) => {
  const { add, end, waitMs } = await overload(t, { calmAfterMs: 1_000 });
  for (const name of ['r2', 'a3', 'a4']) await end(name);
  waitMs(900);
  for (const name of ['a5', 'a6', 'a7', 'a8']) void add(name);
  await assert.rejects(add('a9'), TooManyWaitError);
  for (const name of ['a5', 'a6', 'a7', 'a8']) await end(name);
  waitMs(900);
  for (const name of ['a10', 'a11', 'a12', 'a13']) void add(name);
  await assert.rejects(add('a14'), TooManyWaitError);
});

test('a queue that was cut takes a burst again at once if no time is given', async (t) => {
  const { add, end, queue } = await overload(t);
  for (const name of ['r2', 'a3', 'a4']) await end(name);
  for (const name of ['a5', 'a6', 'a7', 'a8', 'a9']) void add(name);
  assert.equal(queue.waiting, 3);
});

test('a job that was refused no longer listens to its caller', async (t) => {
  const caller = new AbortController();
  const { waiting } = await overload(t, {}, { signal: caller.signal });
  await assert.rejects(waiting[0] ?? assert.fail(), TooManyWaitError);
  assert.equal(getEventListeners(caller.signal, 'abort').length, 1, 'the one that still waits');
});

test('a job whose turn comes after its deadline is refused and makes room', async () => {
  const { add, end, started, queue } = startQueue(2);
  const deadline = { remainingMs: 1 };
  void add('a1');
  void add('a2');
  const late = add('late', { deadline });
  const next = add('a3', { deadline: { remainingMs: 1 } });
  deadline.remainingMs = 0;
  const message = 'the call waited too long in the queue for passwords';
  const refused = assert.rejects(late, { name: 'BusyError', message });
  await end('a1');
  assert.deepEqual(started, ['a1', 'a2', 'a3']);
  await refused;
  await Promise.all([end('a2'), end('a3'), next]);
  assert.deepEqual([queue.running, queue.waiting, queue.refused], [0, 0, 1]);
});

test('refused jobs are counted, those that are cut from a standing queue too', async (t: TestContext) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const { add, end, queue } = startQueue(2, 5);
  const jobs = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8'].map((name) => add(name));
  const refused = Promise.allSettled(jobs);
  assert.deepEqual([queue.running, queue.waiting, queue.refused], [2, 5, 1]);
  nowMs = 501;
  await end('a1');
  assert.deepEqual([queue.running, queue.waiting, queue.refused], [2, 1, 4]);
  for (const name of ['a2', 'a6', 'a7']) await end(name);
  assert.equal((await refused).filter(({ status }) => status === 'rejected').length, 4);
});
