import { Worker } from 'node:worker_threads';
import { ownModule } from '../../own-files.ts';
import type { BcryptAnswer, BcryptQuestion } from './bcrypt-worker.ts';

let thread: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, PromiseWithResolvers<boolean>>();

/**
 * Compares in a thread of its own. Node.js has no bcrypt; the one in JavaScript would keep every other request
 * waiting for as long as it computes.
 */
export function compareByBcrypt(password: string, hash: string): Promise<boolean> {
  lastId += 1;
  const answer = Promise.withResolvers<boolean>();
  waiting.set(lastId, answer);
  const question: BcryptQuestion = { id: lastId, password, hash };
  const worker = running();
  worker.ref();
  worker.postMessage(question);
  return answer.promise;
}

function running(): Worker {
  if (thread !== undefined) return thread;
  thread = new Worker(ownModule('users/password-hashes/bcrypt-worker'));
  thread.on('message', settle);
  thread.on('error', failAll);
  return thread;
}

function settle({ id, matches }: BcryptAnswer): void {
  waiting.get(id)?.resolve(matches);
  waiting.delete(id);
  // With nothing to compare, it must not keep the process alive.
  if (waiting.size === 0) thread?.unref();
}

function failAll(error: unknown): void {
  thread = undefined;
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
}
