import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { TooManyWaitError } from '../errors/busy-error.ts';
import { MemoryQueue } from '../fairness/memory-queue.ts';
import { HashMemory } from './hash-memory.ts';
import { PasswordHasher } from './password-hasher.ts';

const mebibyte = 1024 * 1024;

/** The room for large bodies of a process with 1 GiB or less. */
const room = 32 * mebibyte;

function begin(memory: HashMemory, mebibytes: number, signal?: AbortSignal) {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const check = { begun: false, finish };
  const result = memory.run(mebibytes * mebibyte, signal, () => {
    check.begun = true;
    return promise;
  });
  result.catch(() => {});
  return Object.assign(check, { result });
}

test('two hashes of 256 MiB are checked one after the other, and neither beside the largest body', async () => {
  const queue = new MemoryQueue(room);
  const memory = new HashMemory(queue, room);
  const body = queue.tryTake(room, { name: 'batch', partMax: 1 / 2 });
  const [first, second] = [begin(memory, 256), begin(memory, 256)];
  await nextIteration();
  assert.deepEqual([first.begun, second.begun], [false, false]);
  body?.release();
  await nextIteration();
  assert.deepEqual([first.begun, second.begun], [true, false]);
  assert.equal(queue.tryTake(room, { name: 'batch', partMax: 1 / 2 }), undefined);
  first.finish();
  await first.result;
  await nextIteration();
  assert.ok(second.begun);
  second.finish();
  await second.result;
  assert.equal(queue.taken, 0);
});

test('hashes of up to 64 MiB wait for no memory', () => {
  const memory = new HashMemory(new MemoryQueue(room), room);
  const checks = Array.from({ length: 9 }, () => begin(memory, 64));
  assert.ok(checks.every(({ begun }) => begun));
  for (const { finish } of checks) finish();
});

test('a hash does not wait for the share that a batch of its own application has used up', () => {
  const queue = new MemoryQueue(room);
  const batch = queue.tryTake(room / 2, { name: 'app', partMax: 1 / 2 });
  assert.ok(batch !== undefined);
  const check = begin(new HashMemory(queue, room), 100);
  assert.ok(check.begun);
  check.finish();
});

test('a caller who leaves does not wait for memory', async () => {
  const memory = new HashMemory(new MemoryQueue(room), room);
  const running = begin(memory, 256);
  const gone = new AbortController();
  const waiting = begin(memory, 256, gone.signal);
  gone.abort();
  await assert.rejects(waiting.result, { name: 'BusyError' });
  running.finish();
  await running.result;
});

/** No password matches them; a check takes what they say, whatever the tag. */
const salt = 'c2l4dGVlbiBieXRlcyBvaw';
const tag = 'A'.repeat(43);

for (const [kind, hash] of [
  ['argon2id', `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${tag}`],
  ['scrypt', `$scrypt$ln=17,r=8,p=1$${salt}$${tag}`],
] as const) {
  test(`a check of a costly ${kind} hash holds memory until it ends`, async () => {
    const queue = new MemoryQueue(room);
    const hasher = new PasswordHasher(new HashMemory(queue, room));
    const verdict = hasher.verify({ owner: 'app' }, 'p', hash);
    assert.ok(queue.taken > 0);
    assert.equal((await verdict).matches, false);
    assert.equal(queue.taken, 0);
  });
}

test('checks of costly hashes wait in the queue of passwords, which refuses an excess of them at once', async () => {
  const queue = new MemoryQueue(room);
  const body = queue.tryTake(room, { name: 'batch', partMax: 1 });
  const hasher = new PasswordHasher(new HashMemory(queue, room));
  const leaving = new AbortController();
  const owner = { owner: 'app', signal: leaving.signal };
  const refusals: unknown[] = [];
  const checks = Array.from({ length: 600 }, () =>
    hasher.verify(owner, 'p', `$argon2id$v=19$m=262144,t=1,p=1$${salt}$${tag}`).catch((error: unknown) => {
      refusals.push(error);
    }),
  );
  await nextIteration();
  assert.ok(refusals.length >= 90 && refusals.every((error) => error instanceof TooManyWaitError));
  assert.ok(queue.waiting <= 2, 'the others wait where tenants take turns');
  leaving.abort();
  body?.release();
  await Promise.all(checks);
});
