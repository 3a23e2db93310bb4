import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { OptionError } from '../options.ts';

/** Disposing of it removes it. */
export interface Checkout extends Disposable {
  readonly root: string;
}

/**
 * Checks out a revision into the folder. It uses the packages installed here, except our own, which link to the code
 * of this checkout.
 *
 * @throws {OptionError} when there is no such revision
 */
export function checkOut(root: string, revision: string, folder: string): Checkout {
  const tree = join(folder, 'tree');
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  requireRevision(git, revision);
  // Forgets the worktrees of interrupted runs.
  git('worktree', 'prune');
  git('worktree', 'add', '--detach', tree, revision);
  const remove = () => void git('worktree', 'remove', '--force', tree);
  try {
    linkInstalled(join(root, 'node_modules'), join(tree, 'node_modules'));
    linkOwnPackages(tree);
    return { root: tree, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function requireRevision(git: (...args: string[]) => unknown, revision: string): void {
  try {
    git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch {
    throw new OptionError(`--compare: git knows no revision ${revision}`);
  }
}

const scope = '@fieldroster';

function linkInstalled(from: string, to: string): void {
  mkdirSync(join(to, scope), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== scope) symlinkSync(join(from, name), join(to, name));
  }
}

function linkOwnPackages(tree: string): void {
  for (const name of readdirSync(join(tree, 'packages'))) {
    if (!existsSync(join(tree, 'packages', name, 'package.json'))) continue;
    symlinkSync(join(tree, 'packages', name), join(tree, 'node_modules', scope, name));
  }
}
