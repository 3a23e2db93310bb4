import { setImmediate as nextIteration } from 'node:timers/promises';

/** How long work may run before other requests of the process are served, in milliseconds. */
export const sliceMs = 5;

/** Work that waits for its next slice, the longest wait first. */
const waiting: (() => void)[] = [];

/** When the slice began that all work with {@link nextSlice} shares in this iteration of the event loop. */
let sharedStartMs: number | undefined;

let endOfShared: NodeJS.Immediate | undefined;

/**
 * Resolves in a later iteration of the event loop. Each iteration resumes one of those that wait: a slice of each of twenty
 * bodies would hold up the others twenty times as long. It is not for work within a transaction, on which other writes wait.
 */
export function nextSlice(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) setImmediate(resumeNext);
  return promise;
}

function resumeNext(): void {
  endShared();
  beginShared();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

function beginShared(): number {
  if (sharedStartMs !== undefined) return sharedStartMs;
  endOfShared = setImmediate(endShared);
  sharedStartMs = performance.now();
  return sharedStartMs;
}

function endShared(): void {
  clearImmediate(endOfShared);
  sharedStartMs = undefined;
}

/**
 * Splits long work into slices of time, between which the event loop serves others. The work calls {@link isOver} after
 * each small step, and awaits {@link next} once it returns true.
 */
export class TimeSlice {
  readonly #wait: () => Promise<void>;
  #startMs = performance.now();

  /**
   * @param wait for the next slice; pass {@link nextSlice} for work that holds up nobody while it waits. All such work
   *   shares one slice of each iteration: many calls may get to a step that needs one in the same iteration
   */
  constructor(wait: () => Promise<void> = nextIteration) {
    this.#wait = wait;
    if (this.#isShared) beginShared();
  }

  get #isShared(): boolean {
    return this.#wait === nextSlice;
  }

  isOver(): boolean {
    const startMs = this.#isShared ? beginShared() : this.#startMs;
    return performance.now() - startMs >= sliceMs;
  }

  async next(): Promise<void> {
    await this.#wait();
    this.#startMs = performance.now();
  }
}

/** Maps like `Array.prototype.map`, but in slices of time. */
export async function mapInSlices<From, To>(
  values: readonly From[],
  timeSlice: TimeSlice,
  map: (value: From, index: number) => To,
): Promise<To[]> {
  const mapped: To[] = [];
  for (const [index, value] of values.entries()) {
    mapped.push(map(value, index));
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return mapped;
}
