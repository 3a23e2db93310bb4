import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Contender, Sample } from '../measurement.ts';
import { type Cores, pinned } from './pinned.ts';

/** A server process that is ready. */
export type Serving = Awaited<ReturnType<typeof startServer>>;

interface ProcessOptions {
  /** By default, the core of the server. */
  readonly cores?: keyof Cores | undefined;
  readonly stdio: StdioOptions;
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/** Starts a process that ends with the bench, and at the latest with this process. An earlier end ends this process too. */
function start(bench: Bench, command: readonly string[], options: ProcessOptions): ChildProcess {
  const { cores = 'server', stdio, environment } = options;
  // Without Fieldroster settings, which would change what is measured.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('FIELDROSTER_'));
  const env = { ...Object.fromEntries(inherited), ...environment };
  const child = spawn(...pinned(bench.cores[cores], command), { stdio, env });
  const kill = () => void child.kill('SIGKILL');
  const fail = () => {
    throw new Error(`the process ended: ${child.spawnargs.join(' ')}`);
  };
  process.once('exit', kill);
  child.once('exit', fail);
  bench.atEnd(async () => {
    process.off('exit', kill);
    child.off('exit', fail);
    if (child.kill()) await once(child, 'exit');
  });
  return child;
}

/**
 * Starts a server, and waits until it listens. Its output, such as a log, goes to a file.
 *
 * @param port the free port that its command line or its configuration names
 */
export async function startServer(
  bench: Bench,
  port: number,
  command: readonly string[],
  { cores, environment }: Omit<ProcessOptions, 'stdio'> = {},
) {
  const output = openSync(join(bench.newFolder(), 'output'), 'a');
  const child = start(bench, command, { cores, environment, stdio: ['ignore', output, 'inherit'] });
  for (const endsAt = performance.now() + readyWithinMs; performance.now() < endsAt; ) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').catch(() => undefined);
    socket.destroy();
    if (connected !== undefined) return { pid: child.pid ?? 0, url: `http://127.0.0.1:${port}` };
    // Often enough not to add to the time that a start takes.
    await delay(2);
  }
  throw new Error(`the process took too long to start: ${child.spawnargs.join(' ')}`);
}

const readyWithinMs = 60_000;

/**
 * Starts a program of the benchmark that repeats one kind of work, and calls `serveParent`.
 *
 * @param script its path below `bench/`
 */
export async function startProgram(
  bench: Bench,
  script: string,
  args: readonly (string | number)[],
  cores?: keyof Cores,
): Promise<Contender> {
  const path = join(import.meta.dirname, '..', script);
  const command = [process.execPath, ...process.execArgv, path, ...args.map(String)];
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = start(bench, command, { cores, stdio });
  const next = async () => (await once(child, 'message'))[0] as Sample;
  await next();
  return (seconds) => {
    child.send(seconds);
    return next();
  };
}
