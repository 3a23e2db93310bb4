import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Serving } from '../measurement.ts';
import { pinned } from './pinned.ts';

export interface ForeignServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cores: string | undefined;
  readonly port: number;
  readonly protocol: 'http' | 'ldap';
  readonly environment?: NodeJS.ProcessEnv;
}

/** Starts another project's server, which ends with this process, and waits until it listens. */
export async function startForeignServer(server: ForeignServer): Promise<Serving> {
  const { port, protocol, environment = process.env } = server;
  const [command, args] = pinned(server.cores, server.command, server.args);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  const kill = () => void child.kill('SIGTERM');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  await waitForPort(port, () => child.exitCode === null);
  return {
    pid: child.pid ?? 0,
    url: `${protocol}://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', kill);
      if (child.exitCode === null) kill();
      await ended;
    },
  };
}

const [looksMax, lookMs] = [600, 50];

async function waitForPort(port: number, isRunning: () => boolean): Promise<void> {
  for (let looks = 0; looks < looksMax && isRunning(); looks += 1) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await delay(lookMs);
  }
  throw new Error(`no server listens on port ${port}`);
}

/** Finds a free port for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
