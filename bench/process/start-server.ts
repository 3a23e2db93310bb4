import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Bench, Serving } from '../measurement.ts';
import { type ProcessOptions, startProcess, whenReady } from './start-process.ts';

/** Often enough not to add to the time that a start takes. */
const outputLookMs = 2;

const portLookMs = 50;

/**
 * Starts a server in Node.js, and waits until it prints a line with its URL as JSON, like `fieldroster serve --json`.
 *
 * @param args flags of Node.js, the script and its arguments
 */
export async function startServer(
  bench: Bench,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Serving> {
  const output = join(bench.newFolder(), 'output');
  const child = startProcess(bench, process.execPath, args, {
    stdio: ['ignore', openSync(output, 'a'), 'inherit'],
    ...options,
  });
  const printed = () => /^\{"url":"([^"]+)"/m.exec(readFileSync(output, 'utf8'))?.[1];
  return { pid: child.pid ?? 0, url: await whenReady(child, outputLookMs, printed) };
}

/** Starts another project's server, whose port is part of the URL, and waits until it listens. */
export async function startForeignServer(
  bench: Bench,
  url: string,
  [command = '', ...args]: readonly string[],
  environment?: NodeJS.ProcessEnv,
): Promise<Serving> {
  const child = startProcess(bench, command, args, { stdio: ['ignore', 'ignore', 'inherit'], environment });
  await whenReady(child, portLookMs, () => accepts(Number(new URL(url).port)));
  return { pid: child.pid ?? 0, url };
}

async function accepts(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
