import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Name of the threads of Node.js's pool. */
const poolThread = 'libuv-worker';

let isDone = false;

/**
 * Lets the event loop go first where threads that hash passwords compete with it for a core: at this priority they still
 * get a tenth of a core that it keeps busy. Call it while the pool works, because its threads start with its first work.
 * Only Linux has priorities of threads; elsewhere nothing happens.
 */
export function lowerPoolPriority(): void {
  if (isDone) return;
  isDone = true;
  if (process.platform !== 'linux') return;
  try {
    const priority = Math.min(
      constants.priority.PRIORITY_LOW,
      getPriority() + constants.priority.PRIORITY_BELOW_NORMAL,
    );
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
      if (name === poolThread) setPriority(Number(thread), priority);
    }
  } catch {
    // A sandbox may hide `/proc` or forbid priorities; passwords are hashed all the same.
  }
}
