import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrations } from '../../../server/src/database/migrations/migrations.ts';
import { openTestPostgres, runSql } from '../../../server/test/test-postgres.ts';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const file = join(folder, 'stores.csv');
writeFileSync(file, 'code,name\n1,one\n');

const reading: readonly (readonly string[])[] = [
  ['app', 'list'],
  ['app', 'show', 'fr0'],
  ['tenant', 'list'],
  ['operator', 'list'],
  ['role', 'list'],
  ['org', 'list'],
  ['store', 'list'],
  ['store', 'import', file, '--dry-run'],
  ['calls'],
  ['why', 'a1'],
  ['who', '--user', 'mara'],
  ['claims', 'status'],
];

const latest = Object.keys(migrations).at(-1);

const refusal =
  `fieldroster: the database lacks ${latest}, so it belongs to an earlier release: use that release while its servers ` +
  'run, or, to change the tables for this one, run: fieldroster migrate\n';

const forget = `delete from kysely_migration where name = '${latest}'`;
/** Takes back the change of the latest migration, which a command that writes makes again. */
const undo = 'alter table key_holder drop column clock_difference_ms';
const count = `select count(*) as n from kysely_migration where name = '${latest}'`;

test('commands that only read leave the tables of an earlier release as they are, on SQLite', async () => {
  const data = join(folder, 'data');
  assert.equal((await runCommand(['tenant', 'create', 'a', '--data', data])).exitCode, 0);
  using database = new DatabaseSync(join(data, 'fieldroster.db'));
  database.exec(`${forget}; ${undo}`);
  for (const words of reading)
    assert.deepEqual(
      await runCommand([...words, '--data', data]),
      { exitCode: 1, stdout: '', stderr: refusal },
      words.join(' '),
    );
  assert.equal(database.prepare(count).get()?.n, 0);
  assert.equal((await runCommand(['tenant', 'create', 'b', '--data', data])).exitCode, 0);
  assert.equal(database.prepare(count).get()?.n, 1, 'a command that writes migrates');
  assert.equal((await runCommand(['tenant', 'list', '--data', data])).exitCode, 0);
});

test('commands that only read leave the tables of an earlier release as they are, on PostgreSQL', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const database = await postgres.createDatabase();
  const place = ['--data', join(folder, 'keys'), '--database', database];
  assert.equal((await runCommand(['tenant', 'create', 'a', ...place])).exitCode, 0);
  await runSql(database, forget);
  await runSql(database, undo);
  for (const words of reading)
    assert.deepEqual(
      await runCommand([...words, ...place]),
      { exitCode: 1, stdout: '', stderr: refusal },
      words.join(' '),
    );
  assert.equal(Number((await runSql(database, count))[0]?.n), 0);
});
