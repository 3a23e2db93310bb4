import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';

interface Installed {
  readonly name: string;
  readonly version: string;
  /** Folder below the repository. */
  readonly path: string;
}

/**
 * A package registry on this machine that offers the content of `node_modules`, so that npm can install from it
 * without a network, and only in the tested versions.
 */
export class InstalledRegistry {
  readonly #root: string;
  readonly #packages: readonly Installed[];
  readonly #server: Server;

  private constructor(root: string) {
    this.#root = root;
    this.#packages = readInstalled(root);
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(root: string): Promise<InstalledRegistry> {
    const registry = new InstalledRegistry(root);
    registry.#server.listen(0, '127.0.0.1');
    await once(registry.#server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent(url.slice(1));
    const archived = this.#packages.find((installed) => archivePath(installed) === path);
    if (archived === undefined) this.#sendDescription(path, response);
    else sendArchive(join(this.#root, archived.path), response);
  }

  #sendDescription(name: string, response: ServerResponse): void {
    const versions = this.#packages.filter((installed) => installed.name === name);
    response.statusCode = versions.length > 0 ? 200 : 404;
    response.end(JSON.stringify(versions.length > 0 ? this.#describe(name, versions) : {}));
  }

  /** Returns the fields of a package's registry entry that an installation reads. */
  #describe(name: string, installed: readonly Installed[]): object {
    const versions = installed.map((one) => {
      const manifest = readJson(join(this.#root, one.path, 'package.json'));
      return [one.version, { ...manifest, dist: { tarball: `${this.url}/${archivePath(one)}` } }] as const;
    });
    return { name, 'dist-tags': { latest: versions[0]?.[0] }, versions: Object.fromEntries(versions) };
  }
}

function archivePath({ path, version }: Installed): string {
  return `-/${path}/${version}.tgz`;
}

/** Third-party packages from the lock file, without those for other platforms. */
function readInstalled(root: string): Installed[] {
  const { packages } = readJson(join(root, 'package-lock.json')) as {
    packages: Record<string, { version?: string; link?: boolean }>;
  };
  return Object.entries(packages).flatMap(([path, { version, link }]) => {
    const [, name] = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || version === undefined || link === true) return [];
    return existsSync(join(root, path)) ? [{ name, version, path }] : [];
  });
}

/** Packs the folder on request. npm accepts any name for the top folder. */
function sendArchive(folder: string, response: ServerResponse): void {
  const flags = ['-czf', '-', '--exclude', `${basename(folder)}/node_modules`, '-C', dirname(folder)];
  const tar = spawn('tar', [...flags, basename(folder)], { stdio: ['ignore', 'pipe', 'inherit'] });
  tar.stdout.pipe(response);
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}
