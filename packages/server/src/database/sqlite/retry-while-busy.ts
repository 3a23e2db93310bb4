import { setTimeout as delay } from 'node:timers/promises';

const sqliteBusy = 5;

/** Whether another connection holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy;
}

/**
 * Tries again for as long as another connection holds the lock. It waits outside of SQLite, whose own
 * waiting would stop the whole process.
 *
 * @param waitMs milliseconds after which the busy error is thrown on
 */
export async function retryWhileBusy(attempt: () => void, waitMs: number, pauseMs = 20): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      attempt();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(pauseMs);
    }
  }
}
