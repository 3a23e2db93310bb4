import type { Sample } from '../measurement.ts';

/** Measures one round. A program that works once ignores the seconds. */
export type Measure = (seconds: number) => Sample | Promise<Sample>;

/**
 * Runs in a program that `startProgram` started: reports that it is ready, answers each number of seconds with a
 * sample, and ends with its parent. An error ends it with a message on the parent's standard error.
 */
export function serveParent(measure: Measure): void {
  process.on('message', async (seconds: number) => process.send?.(await measure(seconds)));
  process.on('disconnect', () => process.exit());
  process.send?.(null);
}

/** Repeats asynchronous work, with `atOnce` calls under way, until the time is over; the value is calls per second. */
export async function countCalls(
  seconds: number,
  atOnce: number,
  work: (count: number) => Promise<unknown>,
): Promise<Sample> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let count = 0;
  const repeat = async () => {
    for (; performance.now() < endsAt; count += 1) await work(count);
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { value: count / elapsed, cpuShare: (user + system) / 1e6 / elapsed };
}

/**
 * Works once, however long that takes; the value is units per second.
 *
 * @param work returns how many of the units succeeded
 */
export async function timeOnce(units: number, work: () => Promise<number> | number): Promise<Sample> {
  const startedAt = performance.now();
  const succeeded = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  return { value: succeeded / seconds, failures: units - succeeded };
}
