import { constants, createReadStream } from 'node:fs';
import { cp, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { Run, SeededDirectory, Subject } from '../measurement.ts';
import { seedDirectory, serverOf } from './seed.ts';

/** Seeds each size once in a run and hands out copies, so that no contender sees another's writes. */
export function seededDirectories({ newFolder, postgres }: Pick<Run, 'newFolder' | 'postgres'>) {
  const templates = new Map<string, Promise<SeededDirectory>>();

  function template(subject: Subject, engine: string): Promise<SeededDirectory> {
    const key = `${engine} ${subject.users} ${subject.root}`;
    const isSqlite = engine === 'SQLite';
    const found = templates.get(key) ?? (isSqlite ? seedSqlite(subject) : moveToPostgres(subject));
    templates.set(key, found);
    return found;
  }

  function seedSqlite(subject: Subject): Promise<SeededDirectory> {
    return seedDirectory(subject, join(newFolder(), 'template'));
  }

  /** Copies the seeded SQLite directory, so that both engines hold the same data. */
  async function moveToPostgres(subject: Subject): Promise<SeededDirectory> {
    const original = await template(subject, 'SQLite');
    const { copyDirectory } = await serverOf(subject.root);
    const database = await (await postgres()).createDatabase();
    await copyDirectory(original.folder, database, () => {});
    // Otherwise autovacuum would run in the middle of a round.
    await runSql(database, 'vacuum analyze');
    return { ...original, database };
  }

  const copy: Run['newDirectory'] = async (subject, engine = 'SQLite') => {
    const original = await template(subject, engine);
    const folder = join(newFolder(), 'data');
    await cp(original.folder, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await flushToDisk(folder);
    if (original.database === undefined) return { ...original, folder };
    const database = await (await postgres()).copyDatabase(original.database);
    return { ...original, folder, database };
  };
  return copy;
}

const chunkBytes = 4 * 1024 * 1024;

/**
 * Reads every file of a folder, so that the page cache holds them. Some systems drop cached pages within a minute, and a
 * round would then measure the disk.
 */
export async function readThrough(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    for await (const _chunk of createReadStream(path, { highWaterMark: chunkBytes }));
  }
}

/** Writes every file of a folder to the disk. Otherwise the system would do so during the rounds. */
async function flushToDisk(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    const file = await open(path);
    await file.sync();
    await file.close();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
