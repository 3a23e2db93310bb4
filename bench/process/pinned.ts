import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Processor lists for `taskset`; undefined where processes cannot be pinned. */
export type Cores = ReturnType<typeof chooseCores>;

/** Gives the server one core and the load generator another, where the machine has two. */
export function chooseCores() {
  const list = allowedCores();
  const [load, server, ...rest] = list;
  if (server === undefined) return { server, load: undefined, database: undefined, all: undefined };
  // Where there are only two, PostgreSQL shares that of the load generator.
  return { server, load, database: rest.length > 0 ? rest.join(',') : load, all: list.join(',') };
}

/** Returns the processors that this process may use; empty without `taskset`. */
function allowedCores(): string[] {
  try {
    const args = ['--cpu-list', '--pid', String(process.pid)];
    const answer = execFileSync('taskset', args, { encoding: 'utf8' });
    return (answer.split(':').at(-1) ?? '').trim().split(',').flatMap(expandRange);
  } catch {
    return [];
  }
}

function expandRange(range: string): string[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

/** Returns the program and the arguments that run a command line on the given cores, or on any core without them. */
export function pinned(cores: string | undefined, words: readonly string[]): [string, string[]] {
  const [command = '', ...args] = cores === undefined ? words : ['taskset', '--cpu-list', cores, ...words];
  return [command, args];
}

const run = promisify(execFile);

/** Runs a program on the given cores, and returns what it prints. */
export async function runPinned(cores: string | undefined, words: readonly string[]): Promise<string> {
  const { stdout } = await run(...pinned(cores, words));
  return stdout;
}

/** Moves a running process with all of its threads. */
export function pinRunning(cores: string, pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)], { stdio: 'ignore' });
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
