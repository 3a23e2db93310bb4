import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { PasswordHasher } from './password-hasher.ts';

// Elsewhere a process cannot set the priority of one thread.
if (process.platform === 'linux') {
  test('the threads that hash passwords, and not the event loop, have a lower priority', async () => {
    const usual = getPriority();
    await new PasswordHasher().hash({ owner: 'app' }, 'a password');
    const pool = readdirSync('/proc/self/task').filter((thread) => nameOf(thread) === 'libuv-worker');
    assert.ok(pool.length >= 2);
    for (const thread of pool) assert.equal(getPriority(Number(thread)), Math.min(19, usual + 10));
    assert.equal(getPriority(process.pid), usual);
  });
}

/** Threads of other tests may end in the meantime. */
function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
  } catch {
    return undefined;
  }
}
