import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Finds the folder that keeps this user from a path in it, such as systemd's `/var/lib/private`, also behind links.
 * Returns `undefined` if this user may look at the path, or if nothing is there.
 */
export function closedFolderAbove(path: string): string | undefined {
  try {
    realpathSync(path);
    return undefined;
  } catch (error) {
    const { code, path: refused } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' || refused === undefined) return undefined;
    // The system refuses the link although what keeps this user out is above its target.
    return isLink(refused)
      ? closedFolderAbove(resolve(dirname(refused), readlinkSync(refused)))
      : dirname(refused);
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
