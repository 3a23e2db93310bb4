import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { giveNewFile } from '../../../machine/give-new-file.ts';

/**
 * Creates a missing file, and makes it accessible to its owner only, because a database holds password hashes. What root
 * creates belongs to the owner of the folder.
 *
 * Does not open an existing file for reading or writing: under POSIX, closing it would release the locks of this
 * process's other connections, and the next process to close the database would remove the log that this one writes to.
 */
export function createPrivately(path: string): void {
  try {
    create(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    makePrivate(path);
  }
}

function create(path: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    giveNewFile(descriptor, dirname(path));
  } finally {
    closeSync(descriptor);
  }
}

/** Linux's flag for a descriptor that only names a file. Closing it releases no locks. Node.js has no constant for it. */
const O_PATH = 0o10_000_000;

/** Where Linux names the open files of a process. */
const openFiles = '/proc/self/fd';

/** Root leaves a link and its target alone: it would otherwise change any file that the owner of the folder links to. */
function makePrivate(path: string): void {
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o600);
    return;
  }
  if (!existsSync(openFiles)) {
    // The owner of the folder can put a link in its place between these two calls.
    if (isOwnName(path, lstatSync(path))) chmodSync(path, 0o600);
    return;
  }
  const descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
  try {
    if (isOwnName(path, fstatSync(descriptor))) chmodSync(`${openFiles}/${descriptor}`, 0o600);
  } finally {
    closeSync(descriptor);
  }
}

/** @throws when it is a link that leads nowhere: SQLite would create a database there */
function isOwnName(path: string, found: Stats): boolean {
  // Throws for such a link.
  statSync(path);
  if (!found.isFile()) return false;
  // A file with several names may be one of somebody else.
  return found.nlink === 1 || found.uid === statSync(dirname(path)).uid;
}
