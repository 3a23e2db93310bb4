import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { lockFile, type ProcessLock } from '../../database/sqlite/files/process-lock.ts';
import { explainFolderFault } from './folder-fault.ts';
import { HeldFolder } from './held-folder.ts';

/** A folder for unfinished work, which only its owner can read. */
export interface DraftFolder {
  /** Its name, for messages. */
  readonly path: string;
  /**
   * A path that leads to this folder even after somebody has put a link in its place. Pass this one to Node.js. SQLite
   * takes the folder's name from it when it opens a database, and finds the journal and the log by that.
   */
  readonly held: string;
  /** Never throws: a later draft removes a folder that cannot be removed now. */
  remove(): void;
}

/**
 * Does work in a draft folder, and removes the folder afterwards.
 *
 * @param name beginning of its name
 * @param what names the result of the work in messages, such as "the backup"
 * @param instead says in messages what to do instead of changing the folder
 * @throws {AdminError} when the folder cannot be written, or its disk is full
 */
export async function withDraftFolder<T>(
  parent: string,
  { name, what, instead }: { readonly name: string; readonly what: string; readonly instead?: string },
  work: (draft: DraftFolder) => Promise<T>,
): Promise<T> {
  let draft: DraftFolder | undefined;
  try {
    draft = makeDraftFolder(parent, name);
    return await work(draft);
  } catch (error) {
    throw explainFolderFault(draft === undefined ? error : withName(error, draft), parent, what, instead);
  } finally {
    draft?.remove();
  }
}

/** Puts the folder's own path into a message of Node.js, which has the held path: that means nothing to a reader. */
function withName(error: unknown, { path, held }: DraftFolder): unknown {
  if (error instanceof Error) error.message = error.message.replaceAll(`${held}/`, `${path}/`);
  return error;
}

const draftName = /\.[0-9a-f]{16}\.part$/;

/** How much longer a draft's name is than the given one, in bytes. */
export const draftEndingBytes = '.0123456789abcdef.part'.length;

const lockName = 'lock';

/** Name of the lock until it is locked. */
const newLockName = 'lock.new';

/** A process killed while it locks its draft also leaves SQLite's journal. */
const newLockNames = [newLockName, `${newLockName}-journal`];

/** Has the form of a draft's name, so that the next draft removes one that was left. */
export const aloneName = `alone.${'0'.repeat(16)}.part`;

/**
 * Age from which a folder without a lock belongs to nobody, in milliseconds. The same holds for one that is dated further
 * ahead than this: its date comes from a clock that was set back later.
 */
const unlockedForMs = 60_000;

/**
 * Makes a draft folder, and removes those that killed processes left beside it. A draft is locked while its process
 * lives.
 *
 * @param name beginning of its name
 */
export function makeDraftFolder(parent: string, name: string): DraftFolder {
  removeLeftDrafts(parent);
  const path = join(parent, `${name}.${randomBytes(8).toString('hex')}.part`);
  mkdirSync(path, { mode: 0o700 });
  const folder = new HeldFolder(path);
  const lock = lockNew(folder);
  const remove = () => {
    process.off('exit', remove);
    using draft = folder;
    try {
      removeContents(draft);
    } catch {
      // An error here would hide that of the work.
    } finally {
      lock?.release();
    }
    removeEmptied(draft, path);
  };
  // A command that is interrupted leaves no copy of the directory behind.
  process.on('exit', remove);
  return { path, held: folder.path, remove };
}

function lockNew(draft: HeldFolder): ProcessLock | undefined {
  try {
    const lock = lockFile(join(draft.path, newLockName));
    // Another process takes an unlocked file of this name for the lock of a killed process.
    renameSync(join(draft.path, newLockName), join(draft.path, lockName));
    return lock;
  } catch (error) {
    draft[Symbol.dispose]();
    throw error;
  }
}

/**
 * Does work in a folder that only one process at a time may do. The work takes milliseconds. If a process is killed during
 * it, others are refused for a minute; then the next draft removes the mark.
 *
 * @returns false, without doing the work, while another process does
 */
export function doAlone(folder: string, work: () => void): boolean {
  const mark = join(folder, aloneName);
  try {
    mkdirSync(mark, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    work();
    return true;
  } finally {
    removeMark(mark);
  }
}

/**
 * Returns what keeps {@link doAlone} from ever making its mark: something else of that name, or an old mark that this
 * user cannot remove. Call it after making a draft, which removes the mark of a killed process.
 *
 * @returns the path and what is wrong with it, or undefined if there is nothing, or the mark of a process at work
 */
export function findObstacle(folder: string): string | undefined {
  const path = join(folder, aloneName);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `${path} is not a folder`;
  if (!isEmptied(path)) return `${path} is not empty`;
  return isOld(found) ? `${path} was left by another process and cannot be removed` : undefined;
}

/** A folder that is gone, or that this user may not read, counts as empty. */
function isEmptied(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}

function isOld({ mtimeMs }: Stats): boolean {
  return Math.abs(Date.now() - mtimeMs) > unlockedForMs;
}

function removeMark(mark: string): void {
  try {
    rmdirSync(mark);
  } catch {
    // An error here would hide that of the work. The next draft removes the mark.
  }
}

function removeLeftDrafts(parent: string): void {
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || !draftName.test(entry.name)) continue;
    removeIfLeft(join(parent, entry.name));
  }
}

/**
 * Returns the path of a draft in a folder, whether its process works on it or was killed. A folder that this user may not
 * read shows none.
 */
export function findDraft(parent: string, name: string): string | undefined {
  const ofName = (entry: string) => draftName.test(entry) && entry.replace(draftName, '') === name;
  try {
    const found = readdirSync(parent).find(ofName);
    return found === undefined ? undefined : join(parent, found);
  } catch {
    return undefined;
  }
}

function removeIfLeft(path: string): void {
  try {
    using draft = new HeldFolder(path);
    // Another user could exchange their folder for something else while root removes it.
    if (process.getuid !== undefined && draft.stats.uid !== process.getuid()) return;
    if (!existsSync(join(draft.path, lockName))) {
      removeIfOld(draft, path);
      return;
    }
    const lock: ProcessLock | undefined = lockFile(join(draft.path, lockName));
    if (lock === undefined) return;
    try {
      removeContents(draft);
    } finally {
      lock.release();
    }
    removeEmptied(draft, path);
  } catch {
    // Its own process has removed it in the meantime, or it belongs to somebody else.
  }
}

function removeIfOld(draft: HeldFolder, path: string): void {
  if (!isOld(draft.stats)) return;
  for (const name of newLockNames) rmSync(join(draft.path, name), { force: true });
  rmdirSync(path);
}

/**
 * Leaves the lock until everything else is gone. A later draft removes only what has a lock: without it, a process killed
 * here would leave its copy of the directory for good.
 */
function removeContents(draft: HeldFolder): void {
  draft.empty(lockName);
}

/**
 * Removes the lock and the folder. A thread of a process that ends may still create a file here, so it tries again until
 * that is over.
 */
function removeEmptied(draft: HeldFolder, path: string): void {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    try {
      removeContents(draft);
      if (readdirSync(draft.path).every((name) => name === lockName)) {
        rmSync(join(draft.path, lockName), { force: true });
        // Removes nothing but an empty folder, whatever has the name by now.
        rmdirSync(path);
        return;
      }
    } catch (error) {
      // Another draft has removed it in the meantime, or a later one does.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') return;
    }
    Atomics.wait(pause, 0, 0, pauseMs);
  }
}

const attemptsMax = 20;
const pauseMs = 5;
const pause = new Int32Array(new SharedArrayBuffer(4));
