import type { Sample } from '../measurement.ts';

/** Does the work over and over for so many seconds; the value is how often in a second. */
export async function countWork(seconds: number, work: () => unknown): Promise<Sample> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let count = 0;
  for (; performance.now() < endsAt; count += 1) await work();
  return { value: count / ((performance.now() - startedAt) / 1000) };
}
