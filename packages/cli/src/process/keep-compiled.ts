import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

const writableByOthers = 0o022;

/** Lets only their owner enter new folders. A usual umask of 0o002 would let a group change Node's. */
const ownersOnly = 0o077;

/** In such a folder, for example /tmp, only the owner of an entry can replace it. */
const sticky = 0o1000;

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
  if (!canMakeFolder(folder) || ![folder, realpathSync(folder)].every(isOutOfReach)) return;
  if (!areEntriesOutOfReach(folder)) return;
  const umask = process.umask(ownersOnly);
  try {
    enableCompileCache(folder);
  } finally {
    process.umask(umask);
  }
}

/**
 * Returns whether only this user and root can change the folder or put another in its place. Code that somebody plants
 * there would run with the rights of this user, who may be root with the HOME of another.
 */
function isOutOfReach(folder: string): boolean {
  const user = process.getuid?.();
  // Windows has no owners of this kind.
  if (user === undefined) return true;
  const { uid, mode } = statSync(folder);
  const isShared = (mode & writableByOthers) !== 0 && (mode & sticky) === 0;
  if ((uid !== user && uid !== 0) || isShared) return false;
  const parent = dirname(folder);
  return parent === folder || isOutOfReach(parent);
}

/** Checks the folders that Node.js has made below. Their names depend on its version and on the user. */
function areEntriesOutOfReach(folder: string): boolean {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.every((path) => !lstatSync(path).isSymbolicLink() && isOutOfReach(path));
  } catch {
    // This user may not read the folder, or it is a file.
    return false;
  }
}

/**
 * Makes the folder and its missing parents. The recursive `mkdir` of Node.js, which the cache would use, never returns
 * when the system answers ENOENT inside a folder that exists, as /proc does.
 */
function canMakeFolder(folder: string): boolean {
  if (existsSync(folder)) return true;
  if (!canMakeFolder(dirname(folder))) return false;
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    // Another command that is starting may have been faster.
    return existsSync(folder);
  }
}
