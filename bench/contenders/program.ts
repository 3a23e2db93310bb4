import { join } from 'node:path';
import type { Contender } from '../measurement.ts';
import { Child } from '../process/child.ts';

/**
 * Starts a program of the benchmark that repeats one kind of work.
 *
 * @param script its path below `bench/`
 */
export async function startProgram(
  script: string,
  args: readonly string[],
  cores: string | undefined,
): Promise<Contender> {
  const { child } = await Child.start({ script: join(import.meta.dirname, '..', script), args, cores });
  return { measure: (seconds) => child.measure(seconds), stop: () => child.stop() };
}
