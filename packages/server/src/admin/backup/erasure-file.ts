import { statSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Erasure } from '../../database/database.ts';
import { AdminError } from '../admin-error.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Name of the list of erasures. It is kept beside the key file and beside the backups, because a restored database knows
 * nothing of later erasures. It holds ids and keyed hashes, and no names.
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
 * @throws {AdminError} when a line is not an erasure
 */
export async function readErasureFile(path: string): Promise<Erasure[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => parseLine(line, `${path}, line ${index + 1}`));
}

/** A draft that is still there after this time was left by a killed process, in milliseconds. */
const abandonedAfterMs = 5_000;

const pauseMs = 10;

/**
 * Adds erasures to a list, which is replaced as a whole. Only one process at a time has the draft of a list: of two that
 * read it before either replaced it, the second would lose what the first one added.
 */
export async function addToErasureFile(
  path: string,
  added: readonly Erasure[],
  draftAbandonedAfterMs = abandonedAfterMs,
): Promise<void> {
  const known = await readErasureFile(path);
  if (mergeErasures(known, added).length === known.length) return;
  const draft = `${path}.new`;
  const file = await makeDraft(draft, draftAbandonedAfterMs);
  try {
    const all = mergeErasures(await readErasureFile(path), added);
    await file.writeFile(all.map(toLine).join(''));
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

/** Makes a file that is not there yet. Waits while another process has it. */
async function makeDraft(draft: string, abandonedMs: number): Promise<FileHandle> {
  let seen: number | undefined;
  let sinceMs = 0;
  for (;;) {
    try {
      return await open(draft, 'wx', 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const present = statSync(draft, { throwIfNoEntry: false })?.ino;
    if (present === undefined) continue;
    if (present !== seen) [seen, sinceMs] = [present, performance.now()];
    else if (performance.now() - sinceMs > abandonedMs) await rm(draft, { force: true });
    await delay(pauseMs);
  }
}

/** Joins lists; of two erasures of one user, the earlier one stays. */
export function mergeErasures(...lists: readonly (readonly Erasure[])[]): Erasure[] {
  const merged = new Map<string, Erasure>();
  for (const erasure of lists.flat()) {
    const key = `${erasure.tenantId} ${erasure.userId}`;
    if (!merged.has(key)) merged.set(key, erasure);
  }
  return [...merged.values()];
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
    return { tenantId: BigInt(tenant_id), userId: BigInt(user_id), usernameHash: username_hash, atMs };
  } catch (cause) {
    throw new AdminError(`${place} is not an erasure; take the list from another copy`, { cause });
  }
}
