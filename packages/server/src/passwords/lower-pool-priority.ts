import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Name of the threads of Node.js's pool. */
const poolThread = 'libuv-worker';

let isDone = false;

/**
 * Gives the event loop priority over the threads of the pool, which hash passwords, when they compete for a core. With
 * the lower priority, the threads still get a tenth of a core that the event loop keeps busy. They also yield to other
 * programs, and the pool's other work gets the lower priority too. Call this while the pool works, because its threads
 * start with its first work.
 *
 * Only Linux lets a process set the priority of one thread; elsewhere nothing happens.
 */
export function lowerPoolPriority(): void {
  if (isDone) return;
  try {
    const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
    const priority = Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL);
    for (const thread of readdirSync('/proc/self/task')) if (lowerIfOfPool(thread, priority)) isDone = true;
  } catch {
    // Other systems have no such folder, and a sandbox hides it. Hashing works without a lower priority.
    isDone = true;
  }
}

/** Returns whether the thread is one of the pool. */
function lowerIfOfPool(thread: string, priority: number): boolean {
  let isOfPool = false;
  try {
    isOfPool = readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim() === poolThread;
    if (isOfPool) setPriority(Number(thread), priority);
  } catch {
    // The thread has ended, or the system forbids it, which a further attempt would not change.
  }
  return isOfPool;
}
