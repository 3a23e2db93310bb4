import { constants, createReadStream } from 'node:fs';
import { cp, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { BenchPostgres } from './bench-postgres.ts';
import { type SeededDirectory, type Subject, seedDirectory, serverOf } from './seed.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** Seeds each size once in a run and hands out copies, so that no contender sees another's writes. */
export function seededDirectories(newFolder: () => string, postgres: () => Promise<BenchPostgres>) {
  const templates = new Map<string, Promise<SeededDirectory>>();

  function template(subject: Subject, engine: EngineName): Promise<SeededDirectory> {
    const key = `${engine} ${subject.users} ${subject.root}`;
    const found = templates.get(key) ?? (engine === 'SQLite' ? seed(subject) : copyToPostgres(subject));
    templates.set(key, found);
    return found;
  }

  function seed(subject: Subject): Promise<SeededDirectory> {
    return seedDirectory(subject, join(newFolder(), 'template'));
  }

  /** Copies the seeded SQLite directory, so that both engines hold the same data. */
  async function copyToPostgres(subject: Subject): Promise<SeededDirectory> {
    const original = await template(subject, 'SQLite');
    const { copyDirectory } = await serverOf(subject.root);
    const database = await (await postgres()).createDatabase();
    await copyDirectory(original.folder, database, () => {});
    // Otherwise autovacuum would run in the middle of a round.
    await runSql(database, 'vacuum analyze');
    return { ...original, database };
  }

  return async (subject: Subject, engine: EngineName = 'SQLite'): Promise<SeededDirectory> => {
    const original = await template(subject, engine);
    const folder = join(newFolder(), 'data');
    await cp(original.folder, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await flushToDisk(folder);
    if (original.database === undefined) return { ...original, folder };
    const database = await (await postgres()).copyDatabase(original.database);
    return { ...original, folder, database };
  };
}

/**
 * Reads every file of a folder, so that the page cache holds them. Some systems drop cached pages within a minute, and a
 * round would then measure the disk.
 */
export async function readThrough(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    for await (const _chunk of createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }));
  }
}

/** Writes every file of a folder to the disk. Otherwise the system would do so during the rounds. */
async function flushToDisk(folder: string): Promise<void> {
  for (const path of await filesIn(folder)) {
    await using file = await open(path);
    await file.sync();
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
