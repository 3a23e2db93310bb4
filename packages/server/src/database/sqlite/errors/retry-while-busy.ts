import { setTimeout as delay } from 'node:timers/promises';
import { primaryCodeOf, resultCodes } from './sqlite-error.ts';

/** Returns whether another connection holds the requested lock. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === resultCodes.busy;
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
