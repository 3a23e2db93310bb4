import { join } from 'node:path';
import { publishablePackages } from './publishable-packages.ts';
import { runNpm } from './run-npm.ts';

/** Packs every published package into a folder, as for publishing. Returns the paths of the archives. */
export function packPackages(root: string, folder: string): string[] {
  const workspaces = publishablePackages.map((name) => `--workspace=packages/${name}`);
  const flags = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`];
  const packed = JSON.parse(runNpm(root, 'pack', ...flags, ...workspaces)) as unknown;
  return fileNamesOf(packed).map((name) => join(folder, name));
}

/** Reads a list, as npm of Node.js 20 to 24 prints it, or an object by package name, as newer versions do. */
function fileNamesOf(packed: unknown): string[] {
  return Object.values(packed as Record<string, { readonly filename: string }>).map(
    ({ filename }) => filename,
  );
}
