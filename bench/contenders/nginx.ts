import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../measurement.ts';
import { freePort } from '../process/free-port.ts';
import { pinned } from '../process/pinned.ts';
import type { Serving } from '../process/serving.ts';
import { constantAnswer, unheardProof } from './bare-server.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

/** Why nginx cannot be started here; nothing when it can. */
export function nginxIsMissing(): string | undefined {
  return spawnSync('nginx', ['-v']).error === undefined ? undefined : 'nginx is not installed';
}

/** nginx with one worker, answering a constant from its configuration. */
export async function nginx(bench: Bench, traffic: Traffic): Promise<ServerUnderLoad> {
  const port = await freePort();
  const folder = bench.newFolder();
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, configurationOf(folder, port));
  const serving = await startNginx(['-p', folder, '-c', configuration], port, bench.cores.server);
  return new ServerUnderLoad(bench, serving, { ...traffic, proof: unheardProof });
}

function configurationOf(folder: string, port: number): string {
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  default_type application/json;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / { return 200 '${constantAnswer}'; }
  }
}
`;
}

async function startNginx(args: readonly string[], port: number, cores: string | undefined) {
  const [command, commandArgs] = pinned(cores, 'nginx', args);
  const child = spawn(command, commandArgs, { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => void child.kill('SIGTERM');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  await waitForPort(port);
  const serving: Serving = {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      process.off('exit', kill);
      if (child.exitCode === null) kill();
      await ended;
    },
  };
  return serving;
}

async function waitForPort(port: number): Promise<void> {
  for (let attempts = 100; ; attempts -= 1) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    if (attempts === 1) throw new Error('nginx does not listen');
    await delay(50);
  }
}
