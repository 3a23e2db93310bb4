import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TenantRecord } from '../../database/database.ts';
import { isSameTenant, readBeginning } from './find-newest-backup.ts';
import { listScheduledBackups, scheduledFileName } from './scheduled-backups.ts';

/** The backup that was just made. */
interface MadeBackup {
  readonly file: string;
  /** The time in its name, in Unix milliseconds. */
  readonly atMs: number;
}

export interface RemovedBackups {
  /** Names of the removed files. */
  readonly removed: readonly string[];
  /** Files that cannot be read, so their database is unknown, or that could not be removed, with the reason. */
  readonly stayed: ReadonlyMap<string, string>;
}

/** A larger difference than the clocks of two nodes can have. */
const farAheadMs = 86_400_000;

/**
 * Removes the oldest scheduled backups of one database from a folder, where other databases may have theirs. Call it only
 * after a good one was made, so that a good one always stays.
 *
 * @param made is kept, even if its name is the oldest because this node's clock is behind; its first tenant identifies
 * the database
 * @param keep how many to keep, with the one just made
 * @throws when the folder, or the backup just made, cannot be read; nothing was removed then
 */
export async function removeOldestBackups(made: MadeBackup, keep: number): Promise<RemovedBackups> {
  const { firstTenant } = await readBeginning(made.file);
  const others = listScheduledBackups(dirname(made.file)).filter((file) => file !== made.file);
  const { own, stayed } = await findOwn(others, firstTenant);
  const removed: string[] = [];
  for (const file of sortByAge(own, made).slice(0, Math.max(0, own.length + 1 - keep))) {
    try {
      // Another node may have removed it meanwhile.
      rmSync(file, { force: true });
      removed.push(basename(file));
    } catch (error) {
      stayed.set(file, (error as Error).message);
    }
  }
  return { removed, stayed };
}

async function findOwn(files: readonly string[], firstTenant: TenantRecord) {
  const own: string[] = [];
  const stayed = new Map<string, string>();
  for (const file of files) {
    try {
      // A read of a pipe would wait for a writer.
      if (!(await stat(file)).isFile()) throw new TypeError('it is no file');
      if (isSameTenant((await readBeginning(file)).firstTenant, firstTenant)) own.push(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') stayed.set(file, (error as Error).message);
    }
  }
  return { own, stayed };
}

/** Returns the oldest first. */
function sortByAge(files: readonly string[], { file, atMs }: MadeBackup): string[] {
  // Backups of a clock that was far ahead are older than this one, although their names say otherwise. If they stayed as
  // the newest, each later backup would be removed after the next.
  const limit = join(dirname(file), scheduledFileName(atMs + farAheadMs));
  return [...files.filter((each) => each > limit), ...files.filter((each) => each <= limit)];
}
