import { join } from 'node:path';
import { publishablePackages } from './publishable-packages.ts';
import { runNpm } from './run-npm.ts';

/** Packs every package that is published, as it would be, into a folder; returns the paths of the archives. */
export function packPackages(root: string, folder: string): string[] {
  const workspaces = publishablePackages.map((name) => `--workspace=packages/${name}`);
  const flags = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`];
  const packed = JSON.parse(runNpm(root, 'pack', ...flags, ...workspaces)) as unknown;
  return fileNamesOf(packed).map((name) => join(folder, name));
}

/** A list in the npm that comes with Node.js 20 to 24; a newer one names each entry by its package. */
function fileNamesOf(packed: unknown): string[] {
  return Object.values(packed as Record<string, { readonly filename: string }>).map(
    ({ filename }) => filename,
  );
}
