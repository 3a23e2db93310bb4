import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../../own-files.ts';
import type { BcryptQuestion } from './bcrypt-worker.ts';

/** Idle threads. The password queue bounds their number. */
const idle: Worker[] = [];

/**
 * Compares in a separate thread, so that a cheap comparison does not wait for a costly one. Node.js has no bcrypt,
 * and the JavaScript one would block all other requests while it computes.
 */
export async function compareByBcrypt(password: string, hash: string): Promise<boolean> {
  const thread = idle.pop() ?? new Worker(ownModule('passwords/hashes/bcrypt-worker'));
  thread.ref();
  const question: BcryptQuestion = { password, hash };
  thread.postMessage(question);
  // Rejects when the thread reports an error, which also ends the thread.
  const [matches] = (await once(thread, 'message')) as [boolean];
  // An idle thread must not keep the process alive.
  thread.unref();
  idle.push(thread);
  return matches;
}
