import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { linkDependencies } from '../../scripts/testing/link-dependencies.ts';
import { OptionError } from '../options.ts';

/**
 * Checks out a revision into the folder. It uses the packages installed here, except our own, which link to the code
 * of this checkout. Disposing of it removes it.
 *
 * @throws {OptionError} when there is no such revision
 */
export function checkOut(root: string, revision: string, folder: string) {
  const tree = join(folder, 'tree');
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'pipe' });
  try {
    git('rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  } catch {
    throw new OptionError(`--compare: git knows no revision ${revision}`);
  }
  // Forgets the worktrees of interrupted runs.
  git('worktree', 'prune');
  git('worktree', 'add', '--detach', tree, revision);
  const remove = () => void git('worktree', 'remove', '--force', tree);
  try {
    linkDependencies(root, tree);
    return { root: tree, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
