import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const data = join(temporaryFolder(), 'new');
const run = (...words: string[]) => runCommand(['migrate', ...words, '--data', data]);

test('a folder without a database is reported, and none is created there', async () => {
  for (const words of [['migrate'], ['migrate', '--dry-run'], ['serve', '--no-migrate', '--port', '0']]) {
    const { exitCode, stderr } = await runCommand([...words, '--data', data]);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      new RegExp(`(?:^fieldroster: |"msg":")there is no database in ${data}; [^\\n]*--data[^\\n]*\\n$`),
    );
    assert.equal(existsSync(data), false);
  }
});

test('a dry run lists the migrations and changes nothing; a run applies them once', async () => {
  // A database without any migration.
  mkdirSync(data);
  const empty = new DatabaseSync(join(data, 'fieldroster.db'));
  empty.exec('pragma journal_mode = wal');
  empty.close();
  assert.match((await run('--dry-run')).stdout, /^would run: 001-initial/);
  assert.match((await run('--dry-run')).stdout, /^would run: 001-initial/);
  const refused = await runCommand(['serve', '--no-migrate', '--port', '0', '--data', data]);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /run: fieldroster migrate/);
  assert.match((await run()).stdout, /^ran: 001-initial/);
  assert.equal((await run()).stdout, 'the tables are up to date\n');
  const migrated = new DatabaseSync(join(data, 'fieldroster.db'), { readOnly: true });
  const rows = migrated.prepare("select actor from audit_event where operation = 'migrate'").all();
  migrated.close();
  assert.deepEqual(
    rows.map(({ actor }) => JSON.parse(String(actor)).user),
    [userInfo().username],
  );
  const { migrations, dry_run } = JSON.parse((await run('--dry-run', '--json')).stdout);
  assert.deepEqual([migrations, dry_run], [[], true]);
});

test('a dry run and a run say that a newer release has changed the tables', async () => {
  const change = (statement: string) => {
    using connection = new DatabaseSync(join(data, 'fieldroster.db'));
    connection.exec(statement);
  };
  change("insert into kysely_migration (name, timestamp) values ('999-next', '')");
  for (const words of [['--dry-run'], []]) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.equal(exitCode, 0);
    assert.equal(stdout, 'the tables are newer than this release, which changes none of them\n');
    assert.match(stderr, /^fieldroster: the database was changed by a newer release \(999-next\); [^\n]*\n$/);
    assert.deepEqual(JSON.parse((await run(...words, '--json')).stdout).newer_migrations, ['999-next']);
  }
  change("update setting set value = '999-next' where name = 'serves_from_migration'");
  const { exitCode, stderr } = await run('--dry-run');
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /newer release \(999-next\), and this release cannot serve it; start the newer release/,
  );
  change("delete from kysely_migration where name = '999-next'");
  change("update setting set value = '005-credentials' where name = 'serves_from_migration'");
});

test('a search index that was not kept is made again, and the command says so', async () => {
  using connection = new DatabaseSync(join(data, 'fieldroster.db'));
  const drop = () => connection.exec('drop trigger user_search_update');
  drop();
  assert.equal((await run('--dry-run')).stdout, 'the tables are up to date\n');
  const made = 'the index of the user search and its triggers';
  assert.equal((await run()).stdout, `the tables are up to date\nmade ${made} again\n`);
  drop();
  assert.deepEqual(JSON.parse((await run('--json')).stdout).repaired, [made]);
  assert.deepEqual(JSON.parse((await run('--json')).stdout).repaired, []);
});
