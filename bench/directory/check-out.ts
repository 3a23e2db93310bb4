import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkDependencies } from '../../scripts/testing/link-dependencies.ts';
import type { Bench } from '../bench.ts';
import { OptionError } from '../options.ts';

/**
 * Checks out a revision until the bench ends, and returns its folder. It uses the packages installed here, except our
 * own, which are those of the revision. Packages that this checkout no longer needs are installed for it.
 *
 * @throws {OptionError} when there is no such revision
 */
export function checkOut(bench: Bench, root: string, revision: string): string {
  const tree = join(bench.newFolder(), 'tree');
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  try {
    git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch {
    throw new OptionError(`--compare: git knows no revision ${revision}`);
  }
  // Forgets the worktrees of interrupted runs.
  git('worktree', 'prune');
  git('worktree', 'add', '--detach', tree, revision);
  bench.atEnd(() => git('worktree', 'remove', '--force', tree));
  linkDependencies(root, tree);
  installMissing(tree);
  return tree;
}

/** Installs the dependencies that are missing in a tree beside it, where Node.js looks for them next. */
function installMissing(tree: string): void {
  const missing = new Set<string>();
  for (const file of globSync(['package.json', 'packages/*/package.json'], { cwd: tree })) {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(tree, file), 'utf8'));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (!existsSync(join(tree, 'node_modules', name))) missing.add(`${name}@${version}`);
    }
  }
  if (missing.size === 0) return;
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', dirname(tree)];
  execFileSync('npm', ['install', ...options, ...missing], { stdio: 'pipe' });
}
