import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Erasure } from '../../database/database.ts';
import { syncFolder } from '../../machine/sync-folder.ts';
import { AdminError } from '../admin-error.ts';
import { describeMissing } from './backup-folder.ts';
import { explainFolderFault } from './folder-fault.ts';
import { giveOpenFile } from './give-to-folder-owner.ts';
import { HeldFolder, removeTree } from './held-folder.ts';
import { readListText } from './read-list-text.ts';

/**
 * Name of the list of erasures. It is kept beside the key file and beside the backups,
 * because a restored database knows nothing of later erasures. It holds ids and keyed hashes, and no names.
 */
export const erasureFile = 'erasures.jsonl';

interface ErasureLine {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly username_hash: string;
  readonly at: string;
}

/**
 * Reads a list of erasures; a missing file is an empty list.
 *
 * @throws {AdminError} when a line is not an erasure, or it is no file that can be read, or a link that may not be
 *   followed
 */
export async function readErasureFile(path: string): Promise<Erasure[]> {
  const text = await readListText(path);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => parseLine(line, `${path}, line ${index + 1}`));
}

/**
 * Checks before an erasure that a list can be read, and that its folder can be written. A later write may still fail,
 * for example on a full disk.
 *
 * @throws {AdminError} when the folder is missing or closed to this user, or the file is not a list of erasures
 */
export async function requireErasureList(path: string): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new AdminError(`${describeMissing(folder, ' for the list of erasures')}, or name another file`);
  await access(folder, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw explainFolderFault(error, folder, 'the list of erasures');
  });
  await readErasureFile(path);
}

/** A lock that one process has held for this time was probably left by a killed one, in milliseconds. */
const abandonedAfterMs = 5_000;

const pauseMs = 10;

/** Slow processes lose a lock to each other less often than this. */
const attemptsMax = 20;

/**
 * Adds erasures to a list, which is replaced as a whole. Only one process at a time has the lock of a list. Without it,
 * if two processes read the list before either replaced it, the second would lose what the first one added.
 *
 * The lock is a folder that contains its holder's draft, under a random name. Another process takes an abandoned lock
 * over by moving the folder away, with the draft. If the holder was merely slow, it can no longer find its draft, so it
 * cannot publish what it made of an old list, nor anything of another process; it starts over.
 *
 * @throws {AdminError} when the list cannot be read, or something exchanges each draft
 */
export async function addToErasureFile(
  path: string,
  added: readonly Erasure[],
  lockAbandonedAfterMs = abandonedAfterMs,
): Promise<void> {
  const lock = `${path}.new`;
  for (let attempt = 1; ; attempt += 1) {
    const known = await readErasureFile(path);
    if (mergeErasures(known, added).length === known.length) return;
    if (attempt > attemptsMax)
      throw new AdminError(
        `${path} cannot be replaced: its draft was replaced ${attemptsMax} times; check who may write to its folder`,
      );
    const draft = await takeLock(lock, lockAbandonedAfterMs);
    try {
      const all = mergeErasures(await readErasureFile(path), added);
      if (await publish(draft, path, all)) break;
    } finally {
      await draft.file?.close();
      await rm(draft.path, { force: true });
      await removeIfEmpty(lock);
    }
  }
  await removeLeftovers(lock);
  syncFolder(dirname(path));
}

/** A running command needs its folder beside the lock only for an instant. A day allows for a clock that is off. */
const leftoverAfterMs = 24 * 3_600_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes the folders of commands that were killed just before or after they had the lock. */
async function removeLeftovers(lock: string): Promise<void> {
  const start = `${basename(lock)}-`;
  for (const name of await readdir(dirname(lock))) {
    if (!name.startsWith(start) || !uuid.test(name.slice(start.length))) continue;
    const path = join(dirname(lock), name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = (await stat(path).catch(() => undefined)) ?? {};
    // A folder that cannot be removed does no harm, and the list is already written.
    if (Date.now() - mtimeMs > leftoverAfterMs) await Promise.try(() => removeTree(path)).catch(() => {});
  }
}

/** A new list, which exists under its path as long as the lock is held. */
interface Draft {
  readonly path: string;
  /** Open since the draft was made; absent on Windows, which cannot move a folder with an open file. */
  readonly file?: FileHandle;
}

/**
 * Replaces the list with the draft, and gives it to the owner of its folder. That owner can put a link in the draft's
 * place, so nothing is written by its path.
 *
 * Returns false when another process has taken over the lock and the draft.
 */
async function publish(draft: Draft, path: string, erasures: readonly Erasure[]): Promise<boolean> {
  try {
    await using reopened = draft.file === undefined ? await open(draft.path, 'r+') : undefined;
    const file = draft.file ?? (reopened as FileHandle);
    await file.writeFile(erasures.map(toLine).join(''));
    await file.sync();
    await giveOpenFile(file, dirname(path));
    if (!(await isFileOf(draft.path, file))) return false;
    await rename(draft.path, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function isFileOf(path: string, file: FileHandle): Promise<boolean> {
  const [named, opened] = await Promise.all([lstat(path), file.stat()]);
  return named.ino === opened.ino && named.dev === opened.dev;
}

/** Waits for the lock. Returns an empty draft. */
async function takeLock(lock: string, abandonedMs: number): Promise<Draft> {
  let seen: string | undefined;
  let sinceMs = 0;
  for (;;) {
    const holder = await findHolder(lock);
    if (holder === undefined) {
      const draft = await tryLock(lock);
      if (draft !== undefined) return draft;
    } else if (holder !== seen) [seen, sinceMs] = [holder, performance.now()];
    else if (performance.now() - sinceMs > abandonedMs) await breakLock(lock);
    await delay(pauseMs);
  }
}

/** Returns the name of the holder's draft, or `undefined` when nobody has the lock. */
async function findHolder(lock: string): Promise<string | undefined> {
  try {
    return (await readdir(lock))[0];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    // Earlier versions made a file of this name.
    if (codeOf(error) === 'ENOTDIR') return 'an earlier version';
    throw error;
  }
}

/** The codes of a rename to the name of a folder that is not empty, or of a file. Windows answers EPERM. */
const heldCodes = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR', ...(process.platform === 'win32' ? ['EPERM'] : [])];

/** Returns the draft, or `undefined` when another process has the lock. */
async function tryLock(lock: string): Promise<Draft | undefined> {
  const name = randomUUID();
  const folder = `${lock}-${name}`;
  await mkdir(folder, { mode: 0o700 });
  let file: FileHandle | undefined;
  try {
    file = await createDraft(folder, name);
    // A process that was killed after it published left an empty folder, which Windows would not replace.
    await removeIfEmpty(lock);
    // Never replaces a folder with a draft in it, so only one process can have the lock.
    await rename(folder, lock);
    return { path: join(lock, name), ...(file && { file }) };
  } catch (error) {
    await file?.close();
    removeTree(folder);
    if (heldCodes.includes(codeOf(error))) return undefined;
    throw error;
  }
}

async function createDraft(folder: string, name: string): Promise<FileHandle | undefined> {
  using held = new HeldFolder(folder);
  const file = await open(join(held.path, name), 'wx', 0o600);
  if (process.platform !== 'win32') return file;
  await file.close();
  return undefined;
}

/**
 * Moves the lock away at once, so that its holder, if it lives after all, loses its draft before anybody else locks.
 */
async function breakLock(lock: string): Promise<void> {
  const aside = `${lock}-${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  removeTree(aside);
}

/** Does nothing when another process has removed the folder already, or has locked it. */
async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}

/**
 * Joins lists; of two erasures of one user, the earlier one stays. Directories that share a list may have erased
 * different users of one id, whose hashes differ.
 */
export function mergeErasures(...lists: readonly (readonly Erasure[])[]): Erasure[] {
  const merged = new Map<string, Erasure>();
  for (const erasure of lists.flat()) {
    const key = erasureKey(erasure);
    if (!merged.has(key)) merged.set(key, erasure);
  }
  return [...merged.values()];
}

/** Equal for erasures of the same user in the same directory. */
export function erasureKey({ tenantId, userId, usernameHash }: Erasure): string {
  return `${tenantId} ${userId} ${usernameHash}`;
}

function toLine({ tenantId, userId, usernameHash, atMs }: Erasure): string {
  const line: ErasureLine = {
    tenant_id: String(tenantId),
    user_id: String(userId),
    username_hash: usernameHash,
    at: new Date(atMs).toISOString(),
  };
  return `${JSON.stringify(line)}\n`;
}

function parseLine(line: string, place: string): Erasure {
  try {
    const { tenant_id, user_id, username_hash, at } = JSON.parse(line) as ErasureLine;
    const atMs = Date.parse(at);
    if (Number.isNaN(atMs) || typeof username_hash !== 'string') throw new TypeError('not an erasure');
    return { tenantId: toId(tenant_id), userId: toId(user_id), usernameHash: username_hash, atMs };
  } catch (cause) {
    throw new AdminError(`${place} is not an erasure; take the list from another copy`, { cause });
  }
}

/** Reading millions of digits would take minutes. */
function toId(digits: unknown): bigint {
  const id = typeof digits === 'string' && /^\d{1,19}$/.test(digits) ? BigInt(digits) : -1n;
  if (id < 0n || id > idMax) throw new TypeError('not an id');
  return id;
}

const idMax = 2n ** 63n - 1n;
