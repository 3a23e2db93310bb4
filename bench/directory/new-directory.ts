import { execFileSync } from 'node:child_process';
import { constants, createReadStream } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { Bench } from '../bench.ts';
import { benchPostgres } from './bench-postgres.ts';
import { type SeededDirectory, type Subject, seedDirectory, serverOf } from './seed.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** Copies a directory that is seeded once in a run, so that no contender sees another's writes. */
export async function newDirectory(
  bench: Bench,
  subject: Subject,
  engine: EngineName = 'SQLite',
): Promise<SeededDirectory> {
  const original = await (engine === 'SQLite' ? seededSqlite : seededPostgres)(bench, subject);
  const folder = join(bench.newFolder(), 'data');
  await cp(original.folder, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  // Otherwise the system would write the copy to the disk during the rounds.
  execFileSync('sync');
  if (original.database === undefined) return { ...original, folder };
  const { copyDatabase } = await benchPostgres(bench);
  return { ...original, folder, database: await copyDatabase(original.database) };
}

function seededSqlite(bench: Bench, subject: Subject): Promise<SeededDirectory> {
  return bench.keep(`SQLite ${subject.users} ${subject.root}`, (run) =>
    seedDirectory(subject, join(run.newFolder(), 'template')),
  );
}

/** Copies the seeded SQLite directory, so that both engines hold the same data. */
function seededPostgres(bench: Bench, subject: Subject): Promise<SeededDirectory> {
  return bench.keep(`PostgreSQL ${subject.users} ${subject.root}`, async (run) => {
    const original = await seededSqlite(run, subject);
    const { copyDirectory } = await serverOf(subject.root);
    const { createDatabase } = await benchPostgres(run);
    const database = await createDatabase();
    await copyDirectory(original.folder, database, () => {});
    // Without this, autovacuum would run in the middle of a round.
    await runSql(database, 'vacuum analyze');
    return { ...original, database };
  });
}

/**
 * Reads the file of a directory, so that the page cache holds it. Some systems drop cached pages within a minute, and a
 * round would then measure the disk.
 */
export async function readThrough(folder: string): Promise<void> {
  const file = createReadStream(join(folder, 'fieldroster.db'), { highWaterMark: 4 * 1024 * 1024 });
  for await (const _chunk of file);
}
