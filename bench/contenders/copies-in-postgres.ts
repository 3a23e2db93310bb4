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
  const { createDatabase, copyDatabase } = await benchPostgres(bench);
  const server = await createDatabase();
  return async () => {
    let copy = '';
    const sample = await timeOnce(users, async () => {
      copy = await copyDatabase(database);
      return users;
    });
    await runSql(server, `drop database ${new URL(copy).pathname.slice(1)}`);
    return sample;
  };
}

/** PostgreSQL copies each table of a database that holds the users into another schema of that database. */
export async function copiedRows(bench: Bench, subject: Subject): Promise<Contender> {
  const { database = '', users } = await newDirectory(bench, subject, 'PostgreSQL');
  const statements = await copyingStatements(database);
  return async () => {
    await runSql(database, 'create schema copied');
    const sample = await timeOnce(users, async () => {
      await runSql(database, statements);
      return users;
    });
    await runSql(database, 'drop schema copied cascade');
    return sample;
  };
}

/** Returns the statements that copy the rows, then make the indexes of all keys and columns, and then the foreign keys. */
async function copyingStatements(database: string): Promise<string> {
  const rows = await runSql(
    database,
    `select format('create table copied.%1$I as table public.%1$I', relname) as statement, 1 as step
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    union all select replace(indexdef, ' ON public.', ' ON copied.'), 2
      from pg_indexes where schemaname = 'public'
    union all select format('alter table copied.%I add %s', relname, pg_get_constraintdef(pg_constraint.oid)), 3
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and connamespace = 'public'::regnamespace
    order by step`,
  );
  const statements = rows.map(({ statement }) => statement);
  // The definition of a foreign key leaves out the schema of its table. `copy` sorts with as much memory.
  const settings = ['set local search_path = copied, public', "set local maintenance_work_mem = '256MB'"];
  return ['begin', ...settings, ...statements, 'commit'].join(';\n');
}
