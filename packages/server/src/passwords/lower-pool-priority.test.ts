import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { PasswordHasher } from './password-hasher.ts';

// Elsewhere threads have no priorities of their own.
if (process.platform === 'linux') {
  test('the threads that hash passwords, and no others, give way to the event loop', async () => {
    const usual = getPriority();
    await new PasswordHasher().hash({ owner: 'app' }, 'a password');
    const threads = readdirSync('/proc/self/task').map((thread) => ({
      hashes: readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim() === 'libuv-worker',
      priority: getPriority(Number(thread)),
    }));
    assert.ok(threads.some(({ hashes }) => hashes));
    for (const { hashes, priority } of threads) assert.equal(priority, hashes ? usual + 10 : usual);
  });
}
