import { setImmediate as nextIteration } from 'node:timers/promises';

/** How long work may run before other requests of the process are served, in milliseconds. */
export const sliceMs = 5;

/** Work that waits for its next slice, the longest wait first. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop. Each turn resumes one of those that wait: a slice of each of twenty bodies
 * would hold up the others twenty times as long. It is not for work within a transaction, on which other writes wait.
 */
export function nextSlice(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) setImmediate(resumeNext);
  return promise;
}

function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/**
 * Splits long work into slices of time, between which the event loop serves others. The work calls {@link isOver} after
 * each small step, and awaits {@link next} once it returns true.
 */
export class TimeSlice {
  readonly #wait: () => Promise<void>;
  #startMs = performance.now();

  /** @param wait for the next slice; pass {@link nextSlice} for work that holds up nobody while it waits */
  constructor(wait: () => Promise<void> = nextIteration) {
    this.#wait = wait;
  }

  isOver(): boolean {
    return performance.now() - this.#startMs >= sliceMs;
  }

  async next(): Promise<void> {
    await this.#wait();
    this.#startMs = performance.now();
  }
}

/** Maps like `Array.prototype.map`, but in slices of time. */
export async function mapInSlices<From, To>(
  values: readonly From[],
  map: (value: From, index: number) => To,
): Promise<To[]> {
  const timeSlice = new TimeSlice();
  const mapped: To[] = [];
  for (const [index, value] of values.entries()) {
    mapped.push(map(value, index));
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return mapped;
}
