import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Keeps what Node.js has compiled for the next start, which has less to do then. It lies in the user's own
 * folder: what is in one that others can write to, others may have made. NODE_DISABLE_COMPILE_CACHE=1 turns
 * it off, and where the folder cannot be written everything works without it.
 */
export function keepCompiled({ XDG_CACHE_HOME, HOME, USERPROFILE }: NodeJS.ProcessEnv): void {
  const home = HOME || USERPROFILE;
  const caches = XDG_CACHE_HOME || (home && join(home, '.cache'));
  if (caches) enableCompileCache(join(caches, 'fieldroster'));
}
