import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantRecord } from '../../database/database.ts';
import { decodeRow, formatName, type HeaderLine, type TableLine } from './backup-format.ts';
import { readFirstLines } from './compressed-lines.ts';
import { isCompleteStream } from './is-complete-stream.ts';

/** A complete backup that nobody has read back. */
export interface FoundBackup {
  readonly file: string;
  /** The moment that it shows, in Unix milliseconds. */
  readonly atMs: number;
  readonly firstTenant: TenantRecord;
}

export interface BackupSearch {
  readonly newest: FoundBackup | undefined;
  /** Files that this user may not read, any of which may be a newer backup. */
  readonly unreadable: readonly string[];
}

/** Limits the files to read, because a folder may have many files of other programs. */
const filesMax = 1_000;

/**
 * Finds the backup in a folder that shows the latest moment, by the content of the files, whatever their names.
 * Reads the beginnings of the newest thousand files, and none as a whole.
 *
 * @param isWanted whether a backup is of the right database, judged by its first tenant,
 * which only copies of one database share
 * @param latestMs a backup that shows a later moment, in Unix milliseconds, was dated by a clock that was ahead. It counts
 *   only if there is no other
 * @throws when the folder cannot be read
 */
export async function findNewestBackup(
  folder: string,
  isWanted: (firstTenant: TenantRecord) => boolean,
  latestMs: number,
): Promise<BackupSearch> {
  let newest: FoundBackup | undefined;
  let ahead: FoundBackup | undefined;
  const unreadable: string[] = [];
  for (const { path, changedMs } of await listFiles(folder)) {
    // A backup shows a moment before its file was written, so that older files cannot show a later one.
    if (newest !== undefined && changedMs < newest.atMs) break;
    const beginning = await readBeginning(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') unreadable.push(path);
      return undefined;
    });
    if (beginning === undefined || !isWanted(beginning.firstTenant)) continue;
    const { atMs } = beginning;
    const found = { file: path, ...beginning };
    if (atMs > latestMs) {
      if (ahead === undefined && (await isCompleteStream(path))) ahead = found;
    } else if (atMs > (newest?.atMs ?? 0) && (await isCompleteStream(path))) newest = found;
  }
  return { newest: newest ?? ahead, unreadable };
}

/** Whether two backups are of one database or its copies, by their first tenants. */
export function isSameTenant(one: TenantRecord | undefined, other: TenantRecord): boolean {
  return one?.id === other.id && one.name === other.name && one.createdAtMs === other.createdAtMs;
}

interface ListedFile {
  readonly path: string;
  readonly changedMs: number;
}

/**
 * Returns the newest files first. Leaves out pipes, for which a read would wait, and files that were removed meanwhile.
 */
async function listFiles(folder: string): Promise<readonly ListedFile[]> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() === true ? [{ path, changedMs: stats.mtimeMs }] : [];
    }),
  );
  return found
    .flat()
    .sort((one, other) => other.changedMs - one.changedMs)
    .slice(0, filesMax);
}

/** What the first lines of a backup tell. */
export interface BackupBeginning {
  readonly atMs: number;
  readonly firstTenant: TenantRecord;
}

/** @throws when the file is no backup, or cannot be read */
export async function readBeginning(path: string): Promise<BackupBeginning> {
  const [header, table, row] = (await readFirstLines(path, 3)).map((line) => JSON.parse(line) as unknown);
  const { format, at } = (header as HeaderLine).header;
  const { table: name, columns } = table as TableLine;
  const { id, name: tenant, created_at: created } = decodeRow(row as unknown[], columns);
  const atMs = Date.parse(at);
  const createdAtMs = Number(created);
  const hasTimes = [atMs, createdAtMs].every((timeMs) => !Number.isNaN(new Date(timeMs).getTime()));
  if (format !== formatName || name !== 'tenant' || !hasTimes) throw new TypeError('not a backup');
  return { atMs, firstTenant: { id: BigInt(id as bigint), name: String(tenant), createdAtMs } };
}
