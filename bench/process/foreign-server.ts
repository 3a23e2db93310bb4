import { once } from 'node:events';
import { connect } from 'node:net';
import type { Bench, Serving } from '../measurement.ts';
import { startProcess, whenReady } from './start-process.ts';

export interface ForeignServer {
  readonly command: string;
  readonly args: readonly string[];
  /** A free port: these programs cannot choose one themselves. */
  readonly port: number;
  readonly protocol: 'http' | 'ldap';
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

const lookEveryMs = 50;

/** Starts another project's server, and waits until it listens. */
export async function startForeignServer(
  bench: Bench,
  { command, args, port, protocol, environment }: ForeignServer,
): Promise<Serving> {
  const child = startProcess(bench, command, args, {
    cores: bench.cores.server,
    stdio: ['ignore', 'ignore', 'inherit'],
    environment,
  });
  await whenReady(child, lookEveryMs, () => accepts(port));
  return { pid: child.pid ?? 0, url: `${protocol}://127.0.0.1:${port}` };
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
