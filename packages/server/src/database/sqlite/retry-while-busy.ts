import { setTimeout as delay } from 'node:timers/promises';

const sqliteBusy = 5;

/** Whether another connection holds the requested lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy;
}

/**
 * Retries while another connection holds the lock. Waits outside SQLite, whose own wait would block the whole process.
 *
 * @param waitMs milliseconds after which the busy error is rethrown
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
