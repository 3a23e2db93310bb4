import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './run-npm.ts';

/**
 * Installs what a folder outside the workspace needs, unless that is installed as its lock file says.
 *
 * @param what names it in the message, as in `installing the mutation tester`
 */
export function installOnce(folder: string, what: string): void {
  const lockFile = join(folder, 'package-lock.json');
  const stamp = join(folder, 'node_modules/.installed-package-lock.json');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(lockFile, 'utf8')) return;
  console.log(`installing ${what}: running npm ci, which takes about half a minute`);
  runNpm(folder, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  cpSync(lockFile, stamp);
}
