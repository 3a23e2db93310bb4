import assert from 'node:assert/strict';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Deadline } from '../../time/deadline.ts';
import { setTracer } from '../../tracing/trace.ts';
import { type ListKind, ListQueue, type ListQueueOptions, listKinds } from './list-queue.ts';

function listOf(kind: ListKind | undefined, signal = new AbortController().signal) {
  return { kind, call: { disconnectSignal: () => signal }, deadline: new Deadline(10_000) };
}

const usual: ListQueueOptions = { overloadWaitMs: 4, replay: 'write' };

/** Runs calls whose work ends when the test decides. */
function startLists(listsAtOnce?: number, options = usual) {
  const lists = new ListQueue({ ...(listsAtOnce !== undefined && { listsAtOnce }) }, options);
  const running: (() => void)[] = [];
  const run = (kind: ListKind | undefined, owner = 'a', deadline = new Deadline(10_000, { owner })) => {
    const work = () => new Promise<string>((resolve) => running.push(() => resolve(owner)));
    const done = lists.run({ ...listOf(kind), deadline }, work);
    done.catch(() => {});
    return done;
  };
  const queued = () => lists.metricSources().map(({ read }) => read());
  return { run, running, queued };
}

const endOne = async (running: (() => void)[]) => {
  running.shift()?.();
  await new Promise(setImmediate);
};

test('lists wait until one of those in progress ends, and applications take turns', async () => {
  const { run, running, queued } = startLists(2);
  const ended: string[] = [];
  for (const owner of ['a', 'a', 'a', 'a', 'b']) void run('entries', owner).then((name) => ended.push(name));
  assert.equal(running.length, 2);
  assert.deepEqual(queued(), [3]);
  for (let index = 0; index < 4; index += 1) await endOne(running);
  assert.deepEqual(ended, ['a', 'a', 'a', 'b']);
});

test('on an engine that bounds lists itself, and when every nonce is claimed, none waits', () => {
  for (const { run, running, queued } of [startLists(), startLists(2, { ...usual, replay: 'nonce' })]) {
    for (let index = 0; index < 5; index += 1) void run('entries');
    assert.equal(running.length, 5);
    assert.deepEqual(queued(), [0]);
  }
});

test('two pages of the audit are read at once, even where no other list waits', async () => {
  for (const { run, running, queued } of [startLists(), startLists(2, { ...usual, replay: 'nonce' })]) {
    for (let index = 0; index < 4; index += 1) void run('audit');
    assert.equal(running.length, 2);
    assert.deepEqual(queued(), [2]);
    void run('entries');
    assert.equal(running.length, 3);
    await endOne(running);
    assert.deepEqual(queued(), [1]);
  }
});

test('a list that failed makes room for the next one', async () => {
  const lists = new ListQueue({ listsAtOnce: 2 }, usual);
  const fail = () => Promise.reject(new Error('broken'));
  for (let index = 0; index < 3; index += 1) {
    await assert.rejects(lists.run(listOf('entries'), fail), /broken/);
  }
});

test('a list whose time is over when it leaves the queue is refused, and nothing is read for it', async () => {
  const { run, running } = startLists(2);
  void run('entries');
  void run('entries');
  const late = run('entries', 'a', new Deadline(0));
  const next = run('entries');
  await endOne(running);
  await assert.rejects(late, {
    name: 'BusyError',
    message: /^the call waited too long in the queue for lists/,
  });
  while (running.length > 0) await endOne(running);
  await next;
});

test('nothing is read for a list whose caller disconnects while it waits', async () => {
  const lists = new ListQueue({ listsAtOnce: 2 }, usual);
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const runs = Array.from({ length: 2 }, () => lists.run(listOf('entries'), work));
  const caller = new AbortController();
  const read = () => Promise.reject(new Error('it was read'));
  const dropped = lists.run(listOf('entries', caller.signal), read);
  caller.abort();
  await assert.rejects(dropped, { name: 'BusyError', message: /caller disconnected/ });
  assert.equal(lists.metricSources()[0]?.read(), 0, 'it takes no place in the queue');
  for (const end of ends) end();
  await Promise.all(runs);
});

test('what a list that waited reads is in the trace of its own caller', async (t) => {
  const current = new AsyncLocalStorage<string>();
  setTracer({
    traceRequest: (_, work) => work(),
    inSpan: (_name, _attributes, work) => work(),
    carry: (work) => AsyncResource.bind(work) as typeof work,
    note: () => {},
  });
  t.after(() => setTracer(undefined));
  const lists = new ListQueue({ listsAtOnce: 2 }, usual);
  const seen: (string | undefined)[] = [];
  const read = async () => {
    await nextIteration();
    seen.push(current.getStore());
  };
  const callers = ['a', 'b', 'c', 'd'];
  await Promise.all(callers.map((name) => current.run(name, () => lists.run(listOf('entries'), read))));
  assert.deepEqual(seen, callers);
});

for (const [label, listsPerMs, overloadWaitMs, waits] of [
  ['six, however slow they are', 0.1, 4, 6],
  ['as many as are answered in a quarter of the allowed wait', 1, 80, 20],
] as const) {
  test(`under overload, ${label}, may wait for each application`, async (t) => {
    const startedMs = performance.now();
    let passedMs = 0;
    let workedMs = 0;
    t.mock.method(performance, 'now', () => startedMs + passedMs);
    t.mock.method(process, 'threadCpuUsage', () => ({ user: workedMs * 1000, system: 0 }));
    const { run, running } = startLists(2, { ...usual, overloadWaitMs });
    const outcomes = Array.from({ length: 150 }, () => run('entries', 'noisy'));
    for (let index = 0; index < 110; index += 1) {
      workedMs += 1 / listsPerMs;
      await endOne(running);
    }
    passedMs = 501;
    await endOne(running);
    outcomes.push(run('entries', 'noisy'), run('entries', 'noisy'), run('entries', 'quiet'));
    const settled = Promise.allSettled(outcomes);
    while (running.length > 0) await endOne(running);
    const states = (await settled).map(({ status }) => status);
    const answered = states.slice(0, 150).filter((status) => status === 'fulfilled').length;
    assert.equal(answered, 112 + waits, 'those that had begun, and those that may wait');
    assert.deepEqual(
      states.slice(150),
      ['fulfilled', 'rejected', 'fulfilled'],
      'the other one has its own queue',
    );
    for (let index = 0; index < waits + 2; index += 1) void run('entries', 'noisy');
    const again = {
      name: 'BusyError',
      message: new RegExp(`^${waits} lists of noisy are already waiting`),
    };
    await assert.rejects(run('entries', 'noisy'), again, 'the queue was empty, but only for a moment');
    while (running.length > 0) await endOne(running);
  });
}

test('the pace of lists is measured from when the first one waits, although others come meanwhile', async (t) => {
  const startedMs = performance.now();
  let passedMs = 0;
  let workedMs = 1_000_000;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  t.mock.method(process, 'threadCpuUsage', () => ({ user: workedMs * 1000, system: 0 }));
  const { run, running, queued } = startLists(2, { ...usual, overloadWaitMs: 80 });
  for (let index = 0; index < 60; index += 1) void run('entries');
  for (let index = 0; index < 100; index += 1) {
    workedMs += 1;
    await endOne(running);
    void run('entries');
  }
  passedMs = 501;
  await endOne(running);
  assert.deepEqual(
    queued(),
    [19],
    'one in a millisecond, so twenty in a quarter of 80 ms; one of them has begun',
  );
  while (running.length > 0) await endOne(running);
});

test('while more lists are refused than answered, a third as many may wait', async (t) => {
  const startedMs = performance.now();
  let passedMs = 0;
  let workedMs = 0;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  t.mock.method(process, 'threadCpuUsage', () => ({ user: workedMs * 1000, system: 0 }));
  const { run, running, queued } = startLists(2, { ...usual, overloadWaitMs: 80 });
  for (let index = 0; index < 150; index += 1) void run('entries');
  for (let index = 0; index < 110; index += 1) {
    workedMs += 1;
    await endOne(running);
  }
  passedMs = 501;
  await endOne(running);
  for (let index = 0; index < 200; index += 1) void run('entries');
  assert.deepEqual(queued(), [20], 'the first refusals');
  passedMs = 1_502;
  void run('entries');
  await endOne(running);
  assert.deepEqual(queued(), [5], 'a third of twenty, of which one has begun');
  void run('entries');
  await assert.rejects(run('entries'), { message: /^6 lists of a are already waiting/ });
  while (running.length > 0) await endOne(running);
});

test('every operation that answers with pages takes turns', () => {
  const lists = Object.entries(listKinds).flatMap(([key, kind]) => (kind === undefined ? [] : key));
  const paged = ['listAuditEvents', 'listOrgs', 'listRoles', 'listStoreUsers', 'listStores', 'listUsers'];
  assert.deepEqual(lists.toSorted(), paged);
});
