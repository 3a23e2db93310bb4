import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../measurement.ts';
import { startForeignServer } from '../process/foreign-server.ts';
import { freePort } from '../process/free-port.ts';
import { constantAnswer, unheard } from './bare-server.ts';
import { ServerUnderLoad, type Traffic } from './server-under-load.ts';

/** Why nginx cannot be started here; nothing when it can. */
export function nginxIsMissing(): string | undefined {
  return spawnSync('nginx', ['-v']).error === undefined
    ? undefined
    : 'nginx is not installed (Debian: apt-get install nginx-light)';
}

/** nginx with one worker, answering a constant from its configuration. */
export async function nginx(bench: Bench, traffic: Traffic): Promise<ServerUnderLoad> {
  const port = await freePort();
  const folder = bench.newFolder();
  const configuration = join(folder, 'nginx.conf');
  writeFileSync(configuration, configurationOf(folder, port));
  const args = ['-p', folder, '-c', configuration];
  const { server: cores } = bench.cores;
  const serving = await startForeignServer({ command: 'nginx', args, cores, port, protocol: 'http' });
  return new ServerUnderLoad(bench, serving, { ...traffic, encode: unheard });
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
