import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { bookkeepingFile } from '../bookkeeping/bookkeeping-file.ts';
import { isDamage } from '../errors/sqlite-error.ts';
import { databaseFile } from '../open.ts';
import { toFileError } from './database-file-error.ts';

/** All pages in one step: between steps, a write by another process would start the copy again from the beginning. */
const pagesPerStep = 0x7fff_ffff;

/**
 * Copies the state of a folder's database at one moment into another folder. Writers are not blocked. The write-ahead
 * log cannot start over while the pages are copied, so it grows by what is written meanwhile, and by no more: reading
 * rows from the copy takes far longer, and holds up nothing.
 *
 * @throws when there is no database in the folder, or it cannot be read
 */
export async function copySqliteSnapshot(folder: string, toFolder: string): Promise<void> {
  const path = join(folder, databaseFile);
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  await copyFile(folder, toFolder, databaseFile);
  // The bookkeeping may be newer than the directory, and may be missing or damaged.
  await copyFile(folder, toFolder, bookkeepingFile).catch(() => {
    rmSync(join(toFolder, bookkeepingFile), { force: true });
  });
}

async function copyFile(folder: string, toFolder: string, name: string): Promise<void> {
  const path = join(folder, name);
  const source = openSource(path);
  try {
    await backup(source, join(toFolder, name), { rate: pagesPerStep });
  } catch (error) {
    // Any other fault may be that of the copy.
    throw isDamage(error) ? toFileError(error, path) : error;
  } finally {
    source.close();
  }
}

function openSource(path: string): DatabaseSync {
  let source: DatabaseSync | undefined;
  try {
    source = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
    // Reads now, while a fault cannot be that of the copy.
    source.prepare('select count(*) from sqlite_schema').get();
    return source;
  } catch (error) {
    source?.close();
    throw toFileError(error, path);
  }
}
