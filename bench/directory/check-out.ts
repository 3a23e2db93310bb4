import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { OptionError } from '../options.ts';

/**
 * Checks out a revision until the bench ends, with the packages that it locks, and returns its folder.
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
  const options = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', ...options], { cwd: tree, stdio: 'pipe' });
  return tree;
}
