import { setImmediate as nextIteration } from 'node:timers/promises';

/** How long work may run before other requests of the process are served, in milliseconds. */
const sliceMs = 5;

/**
 * Splits long work into slices of time, between which the event loop serves others. The work calls {@link isOver} after
 * each small step, and awaits {@link next} once it returns true.
 */
export class TimeSlice {
  #startMs = performance.now();

  isOver(): boolean {
    return performance.now() - this.#startMs >= sliceMs;
  }

  async next(): Promise<void> {
    await nextIteration();
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
