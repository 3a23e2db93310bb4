import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BookkeepingFault } from '../../database.ts';
import { bookkeepingFile } from '../bookkeeping/bookkeeping-file.ts';
import { faultsInReport, legible } from '../errors/damage-report.ts';
import { isBusy } from '../errors/retry-while-busy.ts';
import { isDamage, primaryCodeOf, resultCodes } from '../errors/sqlite-error.ts';
import { databaseFile } from '../open.ts';

/** Returns what SQLite finds wrong with a folder's database: damaged pages, and references to missing rows. */
export function findSqliteFaults(folder: string): string[] {
  const connection = new DatabaseSync(join(folder, databaseFile), { readOnly: true });
  try {
    const integrity = connection.prepare('pragma integrity_check(20)').all();
    const references = connection.prepare('pragma foreign_key_check').all().slice(0, 20);
    return [
      ...integrity
        .flatMap(({ integrity_check }) => faultsInReport(String(integrity_check)))
        .filter((text) => text !== 'ok'),
      ...references.map(({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`),
    ];
  } finally {
    connection.close();
  }
}

const lockWaitMs = 5_000;

/**
 * Looks for a fault of a folder's second file.
 *
 * @param deep reads every page; otherwise only the first ones
 * @throws SQLite's error when another process keeps the file locked
 */
export function findBookkeepingFault(folder: string, deep: boolean): BookkeepingFault {
  const file = join(folder, bookkeepingFile);
  try {
    // `existsSync` would take a file in a folder that this user may not open for a missing one.
    if (statSync(file, { throwIfNoEntry: false }) === undefined)
      return { file, exists: false, said: undefined };
    using connection = new DatabaseSync(file, { readOnly: true, timeout: lockWaitMs });
    connection.prepare('select count(*) from sqlite_schema').get();
    if (!deep) return { file, exists: true, said: undefined };
    const found = String(connection.prepare('pragma integrity_check(1)').get()?.integrity_check);
    const line = faultsInReport(found).join('; ');
    return found === 'ok'
      ? { file, exists: true, said: undefined }
      : { file, exists: true, said: `is damaged (${line})`, kind: 'damaged' };
  } catch (error) {
    if (isBusy(error)) throw error;
    const kind = kindOf(error);
    return { file, exists: true, said: `${faults[kind]} (${legible((error as Error).message)})`, kind };
  }
}

const faults = {
  damaged: 'is damaged',
  // SQLite makes a file for locks beside a database before it reads it.
  full: 'cannot be read without room on its disk',
  unreadable: 'cannot be read',
} as const;

function kindOf(error: unknown): keyof typeof faults {
  if (isDamage(error)) return 'damaged';
  return primaryCodeOf(error) === resultCodes.full ? 'full' : 'unreadable';
}
