import { BusyError, CallerGoneError } from '../errors/busy-error.ts';
import type { Holder } from './memory-pool.ts';
import type { Lease, MemoryQueue } from './memory-queue.ts';

/** Memory that some work needs, and how long it may wait for it. */
export interface WantedMemory {
  readonly bytes: number;
  readonly holder: Holder;
  readonly waitMs: number;
  /** Aborts when nobody waits for the result. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work that holds memory until it ends.
 *
 * @throws {BusyError} when there is no memory in time, or the signal aborts before there is
 */
export async function runWithMemory<T>(
  queue: MemoryQueue,
  wanted: WantedMemory,
  work: () => Promise<T>,
): Promise<T> {
  const lease = queue.tryTake(wanted.bytes, wanted.holder) ?? (await waitForMemory(queue, wanted));
  return releaseAfter(lease, work);
}

/** @throws {BusyError} when there is no memory in time, or the signal aborts before there is */
export function waitForMemory(
  queue: MemoryQueue,
  { bytes, holder, waitMs, signal }: WantedMemory,
): Promise<Lease> {
  const { promise, resolve, reject } = Promise.withResolvers<Lease>();
  const onRefusal = (cause: string) => reject(new BusyError(cause));
  const leave = queue.wait(bytes, holder, { waitMs, onGrant: resolve, onRefusal });
  const leaveEarly = () => {
    leave();
    reject(new CallerGoneError());
  };
  if (signal?.aborted) leaveEarly();
  signal?.addEventListener('abort', leaveEarly, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', leaveEarly));
}

/** Runs work, and gives its memory back once it ends. */
export async function releaseAfter<T>(lease: Lease, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    lease.release();
  }
}
