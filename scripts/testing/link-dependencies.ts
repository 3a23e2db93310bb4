import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Entries of `node_modules` that belong to one checkout: links to its packages, and what it has built. */
const ownEntries = new Set(['@fieldroster', 'fieldroster', '.cache']);

/**
 * Gives a copy of the checkout the dependencies that are installed in `root`,
 * and its own packages instead of those there.
 */
export function linkDependencies(root: string, copy: string): void {
  mkdirSync(join(copy, 'node_modules/@fieldroster'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!ownEntries.has(name))
      symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@fieldroster', name));
  }
}
