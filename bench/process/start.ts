import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Contender, Sample } from '../measurement.ts';
import { type Cores, pinned } from './pinned.ts';

/** A server process that is ready. */
export interface Serving {
  readonly pid: number;
  readonly url: string;
}

interface ProcessOptions {
  /** By default, the core of the server. */
  readonly cores?: keyof Cores | undefined;
  readonly stdio: StdioOptions;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Starts a process that ends with the bench, and at the latest with this process. An earlier end ends this process too. */
function start(
  bench: Bench,
  command: string,
  args: readonly string[],
  { cores = 'server', stdio, environment }: ProcessOptions,
): ChildProcess {
  // Without Fieldroster settings, which would change what is measured.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('FIELDROSTER_'));
  const env = { ...Object.fromEntries(inherited), ...environment };
  const child = spawn(...pinned(bench.cores[cores], command, args), { stdio, env });
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
 * Starts a server in Node.js, and waits until it prints a line with its URL as JSON, like `fieldroster serve --json`.
 *
 * @param args flags of Node.js, the script and its arguments
 */
export async function startServer(
  bench: Bench,
  args: readonly string[],
  cores?: keyof Cores,
): Promise<Serving> {
  const output = join(bench.newFolder(), 'output');
  const stdio: StdioOptions = ['ignore', openSync(output, 'a'), 'inherit'];
  const child = start(bench, process.execPath, args, { cores, stdio });
  const printed = () => /^\{"url":"([^"]+)"/m.exec(readFileSync(output, 'utf8'))?.[1];
  // Often enough not to add to the time that a start takes.
  return { pid: child.pid ?? 0, url: await whenReady(child, 2, printed) };
}

/** Starts another project's server, whose port is part of the URL, and waits until it listens. */
export async function startForeignServer(
  bench: Bench,
  url: string,
  [command = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Serving> {
  const child = start(bench, command, args, { stdio: ['ignore', 'ignore', 'inherit'], environment });
  const port = Number(new URL(url).port);
  await whenReady(child, 50, async () => {
    const socket = connect(port, '127.0.0.1');
    const found = await once(socket, 'connect').catch(() => undefined);
    socket.destroy();
    return found;
  });
  return { pid: child.pid ?? 0, url };
}

const readyWithinMs = 60_000;

/** Looks until something is found, which shows that the process is ready. */
async function whenReady<Found>(
  child: ChildProcess,
  lookEveryMs: number,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found> {
  for (const endsAt = performance.now() + readyWithinMs; performance.now() < endsAt; ) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(lookEveryMs);
  }
  throw new Error(`the process took too long to start: ${child.spawnargs.join(' ')}`);
}

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
  const words = [...process.execArgv, join(import.meta.dirname, '..', script), ...args.map(String)];
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = start(bench, process.execPath, words, { cores, stdio });
  const next = async () => (await once(child, 'message'))[0] as Sample;
  await next();
  return (seconds) => {
    child.send(seconds);
    return next();
  };
}
