import { existsSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * Caches compiled code to speed up the next start. Uses the user's own folder, because others could plant code
 * in a shared one. NODE_DISABLE_COMPILE_CACHE=1 turns the cache off, and an unwritable folder does no harm. A relative
 * path is ignored, because it would put the cache into the working folder.
 */
export function keepCompiled({ XDG_CACHE_HOME, HOME, USERPROFILE }: NodeJS.ProcessEnv): void {
  const home = HOME || USERPROFILE;
  const caches = XDG_CACHE_HOME || (home && join(home, '.cache'));
  if (!caches || !isAbsolute(caches)) return;
  const folder = join(caches, 'fieldroster');
  if (canMakeFolder(folder)) enableCompileCache(folder);
}

/**
 * Makes the folder and its missing parents. The recursive `mkdir` of Node.js, which the cache would use, never returns
 * when the system answers ENOENT inside a folder that exists, as /proc does.
 */
function canMakeFolder(folder: string): boolean {
  if (existsSync(folder)) return true;
  if (!canMakeFolder(dirname(folder))) return false;
  try {
    mkdirSync(folder);
    return true;
  } catch {
    // Another command that is starting may have been faster.
    return existsSync(folder);
  }
}
