import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { serverFlags } from '../../packages/cli/src/serve/use-server-flags.ts';
import type { Bench, Contender, Sample, Serving } from '../measurement.ts';
import { startProcess } from './start-process.ts';

/**
 * Starts a program of the benchmark that repeats one kind of work.
 *
 * @param script its path below `bench/`
 */
export async function startProgram(
  bench: Bench,
  script: string,
  args: readonly string[],
  cores = bench.cores.server,
): Promise<Contender> {
  const { child, next } = start(bench, [script, ...args], { cores });
  await next();
  return (seconds) => {
    child.send(seconds);
    return next<Sample>();
  };
}

/**
 * Starts a program of the benchmark that serves and reports its URL. It runs with the V8 flags of our own command.
 *
 * @param outputFile receives its standard output, which is discarded otherwise
 */
export async function startServer(
  bench: Bench,
  script: string,
  args: readonly string[],
  outputFile?: string,
): Promise<Serving> {
  const { child, next } = start(bench, [script, ...args], {
    cores: bench.cores.server,
    flags: serverFlags(),
    output: outputFile === undefined ? 'ignore' : openSync(outputFile, 'a'),
  });
  return { url: await next<string>(), pid: child.pid ?? 0 };
}

interface StartOptions {
  readonly cores: string | undefined;
  readonly flags?: readonly string[];
  readonly output?: 'ignore' | number;
}

function start(
  bench: Bench,
  [script = '', ...args]: readonly string[],
  { cores, flags = [], output = 'ignore' }: StartOptions,
) {
  const path = join(import.meta.dirname, '..', script);
  const child = startProcess(bench, process.execPath, [...process.execArgv, ...flags, path, ...args], {
    cores,
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the process ended: ${child.spawnargs.join(' ')}`);
  });
  // Only an end before an answer is an error.
  ended.catch(() => {});
  const next = async <Value>() => (await Promise.race([once(child, 'message'), ended]))[0] as Value;
  return { child, next };
}
