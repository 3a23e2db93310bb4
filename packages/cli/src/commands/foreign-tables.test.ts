import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openTestPostgres, runSql, type TestPostgres } from '../../../server/test/test-postgres.ts';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
const backup = join(folder, 'a.backup');

const taken =
  'fieldroster: the database already has "user", which Fieldroster did not make, so it cannot create its own; create a ' +
  'database for Fieldroster alone and name that one\n';

const tables = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;

describe('in a database with tables of other programs', () => {
  let postgres: TestPostgres;

  before(async () => {
    postgres = await openTestPostgres({ durable: false });
    const made = await runCommand(['tenant', 'create', 'a', '--data', data]);
    assert.equal(made.exitCode, 0, made.stderr);
    assert.equal((await runCommand(['backup', '--to', backup, '--data', data])).exitCode, 0);
  });

  after(() => postgres.stop());

  async function databaseWith(statements: string): Promise<string> {
    const database = await postgres.createDatabase();
    await runSql(database, statements);
    return database;
  }

  const run = async (words: readonly string[], database: string) => {
    const { exitCode, stderr } = await runCommand([
      ...words,
      '--data',
      join(folder, 'keys'),
      '--database',
      database,
    ]);
    return { exitCode, stderr };
  };

  for (const words of [
    ['app', 'create', '--name', 'x'],
    ['migrate'],
    ['migrate', '--dry-run'],
    ['app', 'list'],
    ['serve', '--log-format', 'pretty', '--port', '0'],
  ]) {
    test(`${words.slice(0, 2).join(' ')} names the one whose name it needs`, async () => {
      const database = await databaseWith(
        'create table "user" (id int); create view invoices as select 1 as one',
      );
      const { exitCode, stderr } = await run(words, database);
      assert.equal(exitCode, 1);
      assert.ok(stderr.endsWith(taken), stderr);
    });
  }

  test('the doctor names the one whose name the migration would need', async () => {
    const database = await databaseWith('create table "user" (id int)');
    const { stdout } = await runCommand(['doctor', '--data', join(folder, 'keys'), '--database', database]);
    assert.match(stdout, /the database already has "user", which Fieldroster did not make/);
    assert.doesNotMatch(stdout, /fieldroster migrate/);
  });

  for (const [label, rows] of [
    ['its own migrations', `insert into kysely_migration values ('2020-invoices', 'then')`],
    ['no migration', ''],
  ]) {
    describe(`of which one uses Kysely too and has executed ${label}`, () => {
      const statements =
        'create table kysely_migration (name text, timestamp text); create table kysely_migration_lock (id text); ' +
        `create table invoices (id int); create table "user" (id int); ${rows}`;

      for (const words of [['migrate'], ['migrate', '--dry-run'], ['app', 'list']]) {
        test(`${words.join(' ')} names those whose names it needs`, async () => {
          const { exitCode, stderr } = await run(words, await databaseWith(statements));
          assert.equal(exitCode, 1);
          assert.match(
            stderr,
            /has "kysely_migration", "kysely_migration_lock", "user", which Fieldroster did not make/,
          );
        });
      }

      test('copy names them all', async () => {
        const { exitCode, stderr } = await runCommand([
          'copy',
          '--from',
          data,
          '--to',
          await databaseWith(statements),
        ]);
        assert.equal(exitCode, 1);
        assert.match(stderr, /has "invoices", "kysely_migration", "kysely_migration_lock" and 1 more, which/);
      });
    });
  }

  test('others are no hindrance to a migration', async () => {
    const database = await databaseWith('create table invoices (id int)');
    assert.deepEqual(await run(['migrate'], database), { exitCode: 0, stderr: '' });
  });

  for (const command of ['restore', 'copy'] as const) {
    const into = (database: string) =>
      command === 'copy'
        ? runCommand(['copy', '--from', data, '--to', database])
        : runCommand(['restore', '--from', backup, '--data', data, '--database', database]);

    test(`${command} names some of them and changes nothing`, async () => {
      const database = await databaseWith(
        'create table invoices (id int); create table "user" (id int); create table a (id int); create table b (id int)',
      );
      const { exitCode, stderr } = await into(database);
      assert.equal(exitCode, 1);
      assert.match(
        stderr,
        /^fieldroster: \S+ already has "a", "b", "invoices" and 1 more, which Fieldroster did not make; create an empty database for Fieldroster alone and name that one\n$/,
      );
      const found = await runSql(database, tables);
      assert.deepEqual(
        found.map(({ relname }) => relname),
        ['a', 'b', 'invoices', 'user'],
      );
    });

    test(`${command} does not count tables of extensions, other schemas or views`, async () => {
      const database = await databaseWith(
        'create table kept (id int); create extension pg_trgm; alter extension pg_trgm add table kept; ' +
          'create schema other; create table other.invoices (id int); create view one as select 1 as one',
      );
      const { exitCode, stderr } = await into(database);
      assert.deepEqual([exitCode, stderr], [0, '']);
    });
  }
});
