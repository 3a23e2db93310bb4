import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../../own-files.ts';
import type { BcryptQuestion } from './bcrypt-worker.ts';

/** Threads without work. The queue of passwords bounds how many there are. */
const idle: Worker[] = [];

/**
 * Compares in a thread, one comparison in each: a cheap one must not wait for a costly one. Node.js has no
 * bcrypt, and the one in JavaScript would block every other request for as long as it computes.
 */
export async function compareByBcrypt(password: string, hash: string): Promise<boolean> {
  const thread = idle.pop() ?? new Worker(ownModule('passwords/hashes/bcrypt-worker'));
  thread.ref();
  const question: BcryptQuestion = { password, hash };
  thread.postMessage(question);
  // Rejects when the thread reports an error, which also ends it.
  const [matches] = (await once(thread, 'message')) as [boolean];
  // An idle thread must not keep the process alive.
  thread.unref();
  idle.push(thread);
  return matches;
}
