import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';

export interface NpmPeer {
  readonly title: string;
  readonly packageName: string;
  readonly version: string;
  readonly engine: string;
  /** Dependencies whose install scripts must run, because they fetch or compile code. */
  readonly built?: readonly string[];
}

/**
 * Installs another project's server into a folder that git ignores, once for all runs. Only the named packages may run
 * install scripts. Returns the folder of its package.
 */
export function installPeer(
  { notes }: Bench,
  { title, packageName, version, engine, built = [] }: NpmPeer,
): string {
  const folder = fileURLToPath(new URL(`../peers/${packageName}`, import.meta.url));
  const packageFolder = join(folder, 'node_modules', packageName);
  const complete = join(folder, 'installed');
  if (!existsSync(complete)) {
    console.error(`installing ${packageName} into bench/peers …`);
    mkdirSync(folder, { recursive: true });
    const npm = (...args: string[]) =>
      execFileSync('npm', [...args, '--prefix', folder, '--loglevel=error'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    npm('install', `${packageName}@${version}`, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund');
    if (built.length > 0) npm('rebuild', ...built);
    mkdirSync(complete);
  }
  const installed = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  notes.push(`${title} is ${installed.version}, on the same Node.js, its users in ${engine}.`);
  return packageFolder;
}
