import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench, Contender, Cores, Sample } from '../measurement.ts';
import { startProcess } from './start-process.ts';

/**
 * Starts a program of the benchmark that repeats one kind of work, and calls `serveParent`.
 *
 * @param script its path below `bench/`
 * @param cores by default, the core of the server
 */
export async function startProgram(
  bench: Bench,
  script: string,
  args: readonly (string | number)[],
  cores?: keyof Cores,
): Promise<Contender> {
  const path = join(import.meta.dirname, '..', script);
  const words = [...process.execArgv, path, ...args.map(String)];
  const child = startProcess(bench, process.execPath, words, {
    cores,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process ended: ${child.spawnargs.join(' ')}`);
  });
  // Only an end before an answer is an error.
  ended.catch(() => {});
  const next = async () => (await Promise.race([once(child, 'message'), ended]))[0] as Sample;
  await next();
  return (seconds) => {
    child.send(seconds);
    return next();
  };
}
