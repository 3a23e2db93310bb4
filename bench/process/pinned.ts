import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Cores } from '../measurement.ts';

/** The command line that starts a program on the given cores, or on any core without them. */
export function pinned(
  cores: string | undefined,
  command: string,
  args: readonly string[],
): [string, string[]] {
  return cores === undefined ? [command, [...args]] : ['taskset', ['--cpu-list', cores, command, ...args]];
}

const run = promisify(execFile);

/** Runs a program on the given cores, and returns what it prints. */
export async function runPinned(
  cores: string | undefined,
  command: string,
  args: readonly string[],
  environment?: NodeJS.ProcessEnv,
): Promise<string> {
  const { stdout } = await run(...pinned(cores, command, args), { env: environment });
  return stdout;
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

/** Moves a running process with all of its threads. */
export function pinRunning(cores: string, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
}

/** Gives the server one core and the load generator another, where the machine has two. */
export function chooseCores(): Cores {
  const list = allowedCores();
  const [load, server, ...rest] = list;
  const none = undefined;
  if (server === undefined) return { server, load: none, database: none, all: none };
  return { server, load, database: rest.length > 0 ? rest.join(',') : load, all: list.join(',') };
}

/** The processors that this process may use; empty without `taskset`. */
function allowedCores(): string[] {
  if (availableParallelism() < 2) return [];
  try {
    const answer = execFileSync('taskset', ['--cpu-list', '--pid', String(process.pid)], {
      encoding: 'utf8',
    });
    return (answer.split(':').at(-1) ?? '').trim().split(',').flatMap(expandRange);
  } catch {
    return [];
  }
}

function expandRange(range: string): string[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}
