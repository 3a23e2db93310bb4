import { runSql } from '../../packages/server/test/test-postgres.ts';
import type { Bench } from '../bench.ts';
import { benchPostgres } from '../directory/bench-postgres.ts';
import { newDirectory } from '../directory/new-directory.ts';
import type { Subject } from '../directory/seed.ts';
import type { Contender } from '../measurement.ts';
import { timeOnce } from '../process/parent.ts';

/** PostgreSQL copies the files of a database that holds the users. */
export async function copiedFiles(bench: Bench, subject: Subject): Promise<Contender> {
  const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
  const { url, copyDatabase } = await benchPostgres(bench);
  return async () => {
    let copy = '';
    const sample = await timeOnce(users, async () => {
      copy = await copyDatabase(database);
      return users;
    });
    await runSql(url, `drop database ${new URL(copy).pathname.slice(1)}`);
    return sample;
  };
}
