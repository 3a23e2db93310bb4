import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from '../../packages/server/test/reserve-port.ts';

const configurationFile = new URL('../../deploy/nginx.conf', import.meta.url);

export function nginxIsInstalled(): boolean {
  return spawnSync('nginx', ['-v']).error === undefined;
}

export function readConfiguration(): string {
  return readFileSync(configurationFile, 'utf8');
}

type Replacement = readonly [from: string, to: string];

/** nginx with the project's own configuration. Only addresses and folders are replaced, unless a test says more. */
export class NginxProcess {
  readonly url: string;
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  /**
   * @param nodes ports of the two nodes
   * @param changes other texts of the configuration to replace
   */
  static start(
    nodes: readonly [number, number],
    changes: readonly Replacement[] = [],
  ): Promise<NginxProcess> {
    const text = readConfiguration();
    return NginxProcess.#run((folder, port) => adapt(text, folder, port, nodes, changes));
  }

  /** @param locations the inside of the one server block */
  static startWith(locations: string): Promise<NginxProcess> {
    return NginxProcess.#run((folder, port) => minimal(locations, folder, port));
  }

  static async #run(configure: (folder: string, port: number) => string): Promise<NginxProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'fieldroster-nginx-'));
    const port = await reservePort();
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configure(folder, port));
    const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;${process.getuid?.() === 0 ? ' user root;' : ''}`;
    const child = spawn('nginx', ['-p', folder, '-c', file, '-g', main], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await Promise.race([untilListening(port), failedStart(child)]);
    return new NginxProcess(child, folder, port);
  }

  get accessLog(): string {
    return readFileSync(join(this.#folder, 'access.log'), 'utf8');
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (this.#child.exitCode === null && this.#child.kill('SIGTERM')) await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function minimal(locations: string, folder: string, port: number): string {
  const server = `server { listen 127.0.0.1:${port}; access_log ${folder}/access.log; ${locations} }`;
  return `events {}\nhttp {\n${temporaryFolders(folder)}\n${server}\n}\n`;
}

function temporaryFolders(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
}

function adapt(
  text: string,
  folder: string,
  port: number,
  nodes: readonly [number, number],
  more: readonly Replacement[],
): string {
  const changes: readonly Replacement[] = [
    ...more,
    ['http {', `http {\n${temporaryFolders(folder)}`],
    ['/var/log/nginx', folder],
    ['node-a:8080', `127.0.0.1:${nodes[0]}`],
    ['node-b:8080', `127.0.0.1:${nodes[1]}`],
    ['listen 8080 ', `listen 127.0.0.1:${port} `],
  ];
  return changes.reduce((adapted, [from, to]) => {
    if (!adapted.includes(from)) throw new Error(`deploy/nginx.conf no longer has ${from}`);
    return adapted.replace(from, to);
  }, text);
}

async function failedStart(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`nginx ended with ${code}`);
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await delay(20);
  }
}
