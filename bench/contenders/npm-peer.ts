import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';

/** Where README.md installs other projects' servers. Git ignores it. */
const modules = join(import.meta.dirname, '../peers/node_modules');

/** Returns a function that tells why a server cannot be started here; undefined when it can. */
export function peerIsMissing(name: string): () => string | undefined {
  return () =>
    existsSync(join(modules, name)) ? undefined : `${name} is not installed; bench/README.md says how`;
}

/** Returns the folder of a server's package, and notes its version and the engine of its users. */
export function peerFolder({ notes }: Bench, name: string, engine: string): string {
  const folder = join(modules, name);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  notes.push(`${name} is ${version}, on the same Node.js, its users in ${engine}.`);
  return folder;
}
