import { globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signerFiles } from '@fieldroster/contract/signing-scripts';
import { buildConsole } from './build-console.ts';

const folder = fileURLToPath(new URL('../packages/console/', import.meta.url));

/** Sources of the console besides its own folder: the packages that it imports. */
const packages = ['client', 'contract', 'signing', 'tables'].map((name) =>
  fileURLToPath(new URL(`../packages/${name}/src/`, import.meta.url)),
);

const examples = fileURLToPath(new URL('../examples/', import.meta.url));

/** Builds the console unless the build is newer than every source. */
export function ensureConsole(): void {
  const builtAtMs = statSync(join(folder, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (consoleSources().every((path) => newestMs(path) < builtAtMs)) return;
  process.stderr.write('Building the console; this takes some seconds.\n');
  buildConsole();
}

/** Returns the files and folders of which the console is built. */
export function consoleSources(): readonly string[] {
  return [
    ...Object.values(signerFiles).map((file) => join(examples, file)),
    join(folder, 'src'),
    ...packages,
    join(folder, 'index.html'),
    // The build's configuration, and what that imports.
    ...globSync(join(folder, '*.ts')),
  ];
}

function newestMs(path: string): number {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

if (import.meta.main) ensureConsole();
