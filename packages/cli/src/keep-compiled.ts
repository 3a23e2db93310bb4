import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Caches compiled code to speed up the next start. Uses the user's own folder, because others could plant code
 * in a shared one. NODE_DISABLE_COMPILE_CACHE=1 turns the cache off, and an unwritable folder does no harm.
 */
export function keepCompiled({ XDG_CACHE_HOME, HOME, USERPROFILE }: NodeJS.ProcessEnv): void {
  const home = HOME || USERPROFILE;
  const caches = XDG_CACHE_HOME || (home && join(home, '.cache'));
  if (caches) enableCompileCache(join(caches, 'fieldroster'));
}
