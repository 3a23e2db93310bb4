import assert from 'node:assert/strict';
import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { getPriority } from 'node:os';
import { afterEach, mock, test } from 'node:test';
import { PasswordHasher } from './password-hasher.ts';

const folder = '/proc/self/task';

afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
});

/** Imports a new copy of the module, in which nobody has called the function yet. */
async function importCopy(label: string): Promise<() => void> {
  const { lowerPoolPriority } = await import(`./lower-pool-priority.ts?${label}`);
  return lowerPoolPriority;
}

/** Lets the system answer with these threads, one list after the other. Returns how often it was asked. */
function answerWith(...lists: readonly (readonly string[])[]): () => number {
  const left = lists.values();
  const spy = mock.method(fs, 'readdirSync', (path: string) => {
    const { value } = left.next();
    if (path === folder && value !== undefined) return value;
    throw new Error('there is no such folder');
  });
  syncBuiltinESMExports();
  return () => spy.mock.callCount();
}

// Elsewhere a process cannot set the priority of one thread.
if (process.platform === 'linux') {
  test('the threads that hash passwords, and not the event loop, have a lower priority', async () => {
    const usual = getPriority();
    await new PasswordHasher().hash({ owner: 'app' }, 'a password');
    const pool = readdirSync(folder).filter((thread) => nameOf(thread) === 'libuv-worker');
    assert.ok(pool.length >= 2);
    for (const thread of pool) assert.equal(getPriority(Number(thread)), Math.min(19, usual + 10));
    assert.equal(getPriority(process.pid), usual);
  });

  test('the threads are looked for until they have been found', async () => {
    await new PasswordHasher().hash({ owner: 'app' }, 'a password');
    const [own, ended, all] = [String(process.pid), '0', readdirSync(folder)];
    const lowerPoolPriority = await importCopy('found');
    const looks = answerWith([own], [ended], all);
    for (const count of [1, 2, 3, 3]) {
      lowerPoolPriority();
      assert.equal(looks(), count);
    }
  });

  test('a system that forbids lowering a priority is asked once', async () => {
    await new PasswordHasher().hash({ owner: 'app' }, 'a password');
    const lowerPoolPriority = await importCopy('fixed');
    const all = readdirSync(folder);
    mock.method(os, 'setPriority', () => {
      throw new Error('the system forbids it');
    });
    const looks = answerWith(all, all);
    for (let count = 0; count < 2; count += 1) lowerPoolPriority();
    assert.equal(looks(), 1);
  });
}

test('a system that does not list its threads is asked once', async () => {
  const lowerPoolPriority = await importCopy('hidden');
  const looks = answerWith();
  for (let count = 0; count < 2; count += 1) lowerPoolPriority();
  assert.equal(looks(), 1);
});

test('a system that forbids reading a priority is asked once', async () => {
  const lowerPoolPriority = await importCopy('forbidden');
  const asked = mock.method(os, 'getPriority', () => {
    throw new Error('the system forbids it');
  });
  syncBuiltinESMExports();
  for (let count = 0; count < 2; count += 1) lowerPoolPriority();
  assert.equal(asked.mock.callCount(), 1);
});

/** Threads of other tests may end meanwhile. */
function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`${folder}/${thread}/comm`, 'latin1').trim();
  } catch {
    return undefined;
  }
}
