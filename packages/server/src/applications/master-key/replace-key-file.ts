import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { O_NOFOLLOW, O_NONBLOCK } from '../../machine/open-flags.ts';
import { syncFolder } from '../../machine/sync-folder.ts';
import { masterKeyBytes } from '../held-key.ts';
import { masterKeyFile, previousKeyFile } from './key-places.ts';
import { MasterKeyError } from './master-key-error.ts';
import { toUnwrittenKey } from './unwritten-key.ts';

/**
 * Writes a new key into the key file of a folder, and keeps the old one as the previous key. A process killed
 * midway leaves a complete key file, and the former key in at least one of the two files.
 *
 * @throws {MasterKeyError} when the key file is a link, whose target belongs to something else, or cannot be written
 */
export function replaceKeyFile(folder: string): void {
  const path = join(folder, masterKeyFile);
  const { content, owner } = readUnlinked(path, join(folder, previousKeyFile));
  removeDrafts(path);
  writePrivately(join(folder, previousKeyFile), content, owner);
  writePrivately(path, `${randomBytes(masterKeyBytes).toString('base64')}\n`, owner);
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Reads a key file and its owner at once. The owner of the folder could otherwise put a link in its place in between, and
 * would be given a copy of what only root may read.
 */
function readUnlinked(path: string, previous: string): { readonly content: Buffer; readonly owner: Owner } {
  if (lstatSync(path).isSymbolicLink()) throw linkedKey(path, previous);
  const descriptor = openUnlinked(path, previous);
  try {
    const owner = fstatSync(descriptor);
    return { content: readFileSync(descriptor), owner };
  } finally {
    closeSync(descriptor);
  }
}

function openUnlinked(path: string, previous: string): number {
  try {
    // Opening a pipe would wait for ever without O_NONBLOCK.
    return openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ELOOP' ? linkedKey(path, previous) : error;
  }
}

function linkedKey(path: string, previous: string): MasterKeyError {
  return new MasterKeyError(
    `${path} is a link, so the key is kept elsewhere; put a new key there and the old one into ` +
      `${previous}, then run the command again`,
  );
}

/**
 * Writes a file that only its owner may read. After a kill or a power cut it has its old content or the new one.
 *
 * @param owner who gets a file that root writes: the server, which has to read it, runs as that user
 */
function writePrivately(path: string, content: string | Uint8Array, owner: Owner): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeDraft(draft, content, owner);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw toUnwrittenKey(error, path);
  }
  syncFolder(dirname(path));
}

function writeDraft(path: string, content: string | Uint8Array, { uid, gid }: Owner): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content, { flush: true });
    // By its path, root could give away another file that the owner of the folder has put in its place.
    if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what a killed process left behind. */
function removeDrafts(path: string): void {
  const folder = dirname(path);
  const draft = new RegExp(`^${RegExp.escape(basename(path))}(\\.previous)?\\.[0-9a-f]{12}$`);
  for (const name of readdirSync(folder)) if (draft.test(name)) unlinkSync(join(folder, name));
}

/**
 * Copies the previous key to a new file that only its owner may read.
 *
 * @throws when the file exists
 */
export function keepPreviousKey(key: Uint8Array, path: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, textOf(key), { flush: true });
  } catch (error) {
    // The next attempt would find the incomplete file, and refuse it.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
}

/** Returns whether the file is a copy of the key as `keepPreviousKey` makes it, and not the folder's own key file. */
export function isCopyOfKey(key: Uint8Array, path: string, folder: string): boolean {
  const text = textOf(key);
  const found = lstatSync(path, { throwIfNoEntry: false });
  const own = lstatSync(join(folder, previousKeyFile), { throwIfNoEntry: false });
  if (found === undefined || (found.ino === own?.ino && found.dev === own.dev)) return false;
  // Opening a pipe would wait for ever.
  return found.isFile() && found.size === text.length && readFileSync(path, 'utf8') === text;
}

function textOf(key: Uint8Array): string {
  return `${Buffer.from(key).toString('base64')}\n`;
}

/** Removes the file of the previous key. Returns whether there was one. */
export function removePreviousKeyFile(folder: string): boolean {
  const path = join(folder, previousKeyFile);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  unlinkSync(path);
  syncFolder(folder);
  return true;
}
