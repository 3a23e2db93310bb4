import type { Sample } from '../measurement.ts';

/** Calls between two looks at the clock, which would otherwise be part of what is measured. */
const callsAtOnce = 1_000;

/** Calls a short function over and over for so many seconds; the value is calls per second. */
export async function countCalls(seconds: number, call: () => void): Promise<Sample> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let count = 0;
  while (performance.now() < endsAt) {
    for (let index = 0; index < callsAtOnce; index += 1) call();
    count += callsAtOnce;
  }
  return { value: count / ((performance.now() - startedAt) / 1000) };
}
