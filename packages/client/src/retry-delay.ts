import type { RetrySettings } from './client-options.ts';

/**
 * Returns the milliseconds before the next attempt: full jitter below a doubling ceiling keeps clients out of
 * step.
 */
export function backoffMs({ delayMs, delayMsMax }: RetrySettings, attempts: number): number {
  return Math.random() * Math.min(delayMsMax, delayMs * 2 ** (attempts - 1));
}

/** Returns the milliseconds that a `Retry-After` of seconds or a date asks for; 0 when it is missing or invalid. */
export function retryAfterMs(header: string | null, nowMs: number): number {
  if (header === null) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? 0 : Math.max(0, dateMs - nowMs);
}

/** The longest wait of a timer, 24 days. A timer with a longer one, such as Infinity, ends at once. */
const timerMsMax = 2 ** 31 - 1;

/** Returns the wait for a timer: the given one, or the longest if that is too long. */
export function timerMs(ms: number): number {
  return Math.min(ms, timerMsMax);
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, timerMs(ms));
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
