import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseBusyError } from '../database/database.ts';
import { FairQueue, type Turn } from './fair-queue.ts';

/** Returns a queue whose jobs end when the test decides. */
function startQueue(slots: number, waitingMax = 100) {
  const queue = new FairQueue({ things: 'passwords', slots, waitingMax, standingMax: 2 });
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const add = (name: string, turn: Partial<Turn> = {}) =>
    queue.run({ owner: 'a', costly: false, ...turn }, () => {
      started.push(name);
      return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await new Promise(setImmediate);
  };
  return { add, end, started, running };
}

test('applications take turns, however many jobs one of them has', async () => {
  const { add, end, started } = startQueue(2);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void add(name);
  for (const name of ['b1', 'b2']) void add(name, { owner: 'b' });
  void add('c1', { owner: 'c' });
  for (let index = 0; index < 6; index += 1) await end(started[index] ?? '');
  assert.deepEqual(started, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
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
  await assert.rejects(dropped, DatabaseBusyError);
  await assert.rejects(add('late', { signal: caller.signal }), DatabaseBusyError);
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
  const queue = new FairQueue({ things: 'passwords', slots: 2, waitingMax: 1, standingMax: 1 });
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
