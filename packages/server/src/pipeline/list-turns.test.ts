import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationKey, operations } from '@fieldroster/contract';
import type { Call } from './call.ts';
import { ListTurns } from './list-turns.ts';

/** Runs calls whose work ends when the test decides. */
function startTurns(listsAtOnce?: number) {
  const turns = new ListTurns({ ...(listsAtOnce !== undefined && { listsAtOnce }) }, 1);
  const running: (() => void)[] = [];
  const caller = new AbortController();
  const run = (key: OperationKey, owner = 'a') => {
    const call = { key, disconnectSignal: () => caller.signal } as Call;
    const work = () => new Promise<string>((resolve) => running.push(() => resolve(owner)));
    const done = turns.run(call, owner, work);
    done.catch(() => {});
    return done;
  };
  const queued = () => turns.metricSources().map(({ read }) => read());
  return { run, running, caller, queued };
}

const endOne = async (running: (() => void)[]) => {
  running.shift()?.();
  await new Promise(setImmediate);
};

test('lists wait until one of those in progress ends, and applications take turns', async () => {
  const { run, running, queued } = startTurns(2);
  const ended: string[] = [];
  for (const owner of ['a', 'a', 'a', 'a', 'b'])
    void run('listUsers', owner).then((name) => ended.push(name));
  assert.equal(running.length, 2);
  assert.deepEqual(queued(), [3]);
  for (let index = 0; index < 4; index += 1) await endOne(running);
  assert.deepEqual(ended, ['a', 'a', 'a', 'b']);
});

test('on an engine that bounds lists itself, none waits', () => {
  const { run, running } = startTurns();
  for (let index = 0; index < 5; index += 1) void run('listUsers');
  assert.equal(running.length, 5);
});

test('a list that failed makes room for the next one', async () => {
  const turns = new ListTurns({ listsAtOnce: 2 }, 1);
  const call = { key: 'listUsers', disconnectSignal: () => new AbortController().signal } as Call;
  for (let index = 0; index < 3; index += 1) {
    await assert.rejects(
      turns.run(call, 'a', () => Promise.reject(new Error('broken'))),
      /broken/,
    );
  }
});

test('a list is not read for a caller who disconnects while it waits', async () => {
  const { run, running, caller } = startTurns(2);
  void run('listUsers');
  void run('listUsers');
  const waiting = run('listUsers');
  caller.abort();
  await assert.rejects(waiting, { name: 'DatabaseBusyError' });
  await endOne(running);
  assert.equal(running.length, 1);
});

test('under overload, more lists of an application than the process answers in the allowed time are refused', async (t) => {
  const startedMs = performance.now();
  let passedMs = 0;
  let workedMs = 0;
  t.mock.method(performance, 'now', () => startedMs + passedMs);
  t.mock.method(process, 'threadCpuUsage', () => ({ user: workedMs * 1000, system: 0 }));
  const { run, running } = startTurns(2);
  // Ten lists in a hundred milliseconds of work: a tenth of a list in the one millisecond that may be waited, so the least.
  for (let index = 0; index < 10; index += 1) {
    void run('listUsers');
    workedMs += 10;
    await endOne(running);
  }
  const outcomes = Array.from({ length: 30 }, () => run('listUsers', 'noisy'));
  passedMs = 501;
  await endOne(running);
  outcomes.push(run('listUsers', 'noisy'), run('listUsers', 'noisy'), run('listUsers', 'quiet'));
  const settled = Promise.allSettled(outcomes);
  while (running.length > 0) await endOne(running);
  const states = (await settled).map(({ status }) => status);
  const refused = states.filter((status) => status === 'rejected').length;
  assert.equal(refused, 30 + 2 - 7, 'three that were in progress and the four that may wait are answered');
  assert.deepEqual(
    states.slice(-3),
    ['fulfilled', 'rejected', 'fulfilled'],
    'another application has its own queue',
  );
  for (let index = 0; index < 6; index += 1) void run('listUsers', 'noisy');
  const again = { name: 'DatabaseBusyError', message: /4 lists of noisy are already waiting/ };
  await assert.rejects(run('listUsers', 'noisy'), again, 'its queue was empty, but only for a moment');
  while (running.length > 0) await endOne(running);
});

test('every operation that answers with pages takes turns', () => {
  const keys = Object.keys(operations) as OperationKey[];
  const lists = keys.filter((key) => {
    const { run, running } = startTurns(2);
    for (let index = 0; index < 3; index += 1) void run(key);
    return running.length === 2;
  });
  const paged = ['listAuditEvents', 'listOrgs', 'listRoles', 'listStoreUsers', 'listStores', 'listUsers'];
  assert.deepEqual(lists.toSorted(), paged);
});
