import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Cores } from '../measurement.ts';
import { pinned } from './pinned.ts';

export interface ProcessOptions {
  /** By default, the core of the server. */
  readonly cores?: keyof Cores | undefined;
  readonly stdio?: StdioOptions;
  /** Further variables. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/** Starts a process that ends with the bench, and at the latest with this process. */
export function startProcess(
  bench: Bench,
  command: string,
  args: readonly string[],
  { cores = 'server', stdio, environment }: ProcessOptions,
): ChildProcess {
  const env = { ...quietEnvironment(), ...environment };
  const child = spawn(...pinned(bench.cores[cores], command, args), { stdio, env });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  bench.atEnd(async () => {
    process.off('exit', kill);
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  return child;
}

/** The environment without Fieldroster settings, which would change what is measured. */
export function quietEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('FIELDROSTER_'));
  return Object.fromEntries(entries);
}

const readyWithinMs = 60_000;

/** Looks until something is found, which shows that the process is ready. */
export async function whenReady<Found>(
  child: ChildProcess,
  lookEveryMs: number,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  for (const endsAt = performance.now() + readyWithinMs; ; ) {
    const found = await look();
    if (found !== undefined) return found;
    if (hasEnded(child) || performance.now() > endsAt) {
      throw new Error(`the process ended or took too long to start: ${child.spawnargs.join(' ')}`);
    }
    await delay(lookEveryMs);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
