import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { migrate } from '../../packages/server/src/database/migrations/migrate.ts';
import { migrations } from '../../packages/server/src/database/migrations/migrations.ts';
import { openSessionWithoutTimeout } from '../../packages/server/src/database/postgres/open.ts';
import type { Session } from '../../packages/server/src/database/queries/session.ts';
import { connect } from '../../packages/server/src/database/sqlite/connections/connection.ts';
import { databaseFile } from '../../packages/server/src/database/sqlite/open.ts';
import { patient } from '../../packages/server/test/test-postgres.ts';
import { atScale, fullScale } from '../../scripts/testing/full-scale.ts';
import { describeOnEachEngine } from '../each-engine.ts';
import { runFieldroster } from '../fieldroster-command.ts';
import type { Provisioned } from '../provision-directory.ts';
import { digestTables } from '../read-database.ts';
import { SeededRandom } from '../seeded-random.ts';
import { ServerProcess } from '../server-process.ts';
import { SignedClient } from '../signed-client.ts';
import { WriteLoad } from '../write-load.ts';

const writesOfEachPart = atScale({ bounded: 60, full: 5_000 });

const thisRelease = Object.keys(migrations).at(-1) ?? '';
const nextMigration = '999-next';

/** Changes of a later release that this one can serve with: columns in every table, a new table, an index. */
async function addForNextRelease(db: Kysely<unknown>): Promise<void> {
  for (const name of await ownTables(db)) {
    await db.schema
      .alterTable(name)
      .addColumn('of_next_release', 'text', (column) => column.notNull().defaultTo('filled by the database'))
      .execute();
    await db.schema.alterTable(name).addColumn('left_empty', 'text').execute();
  }
  await db.schema.createTable('badge').addColumn('user_id', 'bigint').addColumn('label', 'text').execute();
  await sql`create index user_by_next_release on "user" (tenant_id, of_next_release, id)`.execute(db);
}

async function ownTables(db: Kysely<unknown>): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const names = tables.filter(({ isView }) => !isView).map(({ name }) => name);
  return names.filter((name) => !name.startsWith('user_search')).toSorted();
}

/** Migrates as the start of the next release would. */
async function migrateToNextRelease(directory: Provisioned, servesFrom: string): Promise<void> {
  const next = { ...migrations, [nextMigration]: { up: addForNextRelease, servesFrom } };
  if (directory.database !== undefined) {
    const session = openSessionWithoutTimeout(directory.database, patient.connectTimeoutMs);
    await migrate(session, next).finally(() => session.db.destroy());
    return;
  }
  const { connection, session } = connect(join(directory.data, databaseFile));
  await migrateInTransaction(connection, session, next).finally(() => connection.close());
}

async function migrateInTransaction(
  connection: ReturnType<typeof connect>['connection'],
  session: Session,
  next: typeof migrations,
): Promise<void> {
  connection.exec('begin immediate');
  await migrate(session, next);
  connection.exec('commit');
}

describeOnEachEngine((provision, engine) => {
  const triesEveryCommand = engine === 'SQLite' || fullScale;

  test('this release goes on serving while the next one changes the tables, and again after going back to it', async () => {
    const directory = await provision(100);
    const load = new WriteLoad(directory, SeededRandom.ofRun());
    const before = await ServerProcess.start(directory);
    await write(load, before, directory, 'before');
    await migrateToNextRelease(directory, thisRelease);
    await write(load, before, directory, 'meanwhile');
    assert.equal(await before.stop(), 0);

    const after = await ServerProcess.start(directory);
    await write(load, after, directory, 'after');
    const client = new SignedClient(after.url, directory.credentials);
    await after.untilReady();
    await load.verifyReplays(client);
    await load.verifyUsers(client);
    await load.verifyShared(client);
    await tryEveryKind(client, directory);
    client.close();
    assert.equal(await after.stop(), 0);
    assert.match(after.output, /"level":40,[^\n]*"migrations":\["999-next"\][^\n]*this release can serve it/);
    assert.deepEqual([...before.errorLines, ...after.errorLines], []);
    await directory.remove();
  });

  test('commands of this release work on tables of the next one, except copy, which would lose data', async () => {
    const directory = await provision(10);
    await migrateToNextRelease(directory, thisRelease);
    const commands = [
      ['app', 'create', '--name', 'x'],
      ...(triesEveryCommand ? [['store', 'list'], ['migrate']] : []),
    ];
    const results = await Promise.all(commands.map((words) => runFieldroster(...words, ...directory.flags)));
    for (const { exitCode, stderr } of results) assert.equal(exitCode, 0, stderr);
    for (const { stderr } of results) {
      assert.match(
        stderr,
        /^fieldroster: the database was changed by a newer release \(999-next\); this release can/,
      );
    }
    const elsewhere = join(directory.folder, 'elsewhere');
    const place = directory.database ?? directory.data;
    const copied = await runFieldroster('copy', '--from', place, '--to', elsewhere);
    assert.equal(copied.exitCode, 1);
    assert.match(copied.stderr, /newer release \(999-next\), and this release would lose data that it added/);
    assert.equal(existsSync(elsewhere), false);
    await directory.remove();
  });

  test('tables that the next release made unusable for this one are refused and left as they are', async () => {
    const directory = await provision(10);
    await migrateToNextRelease(directory, nextMigration);
    const digest = await digestTables(directory);
    const serve = ['serve', '--port', '0'];
    const others = [[...serve, '--no-migrate'], ['app', 'list'], ['migrate']];
    const commands = [serve, ...(triesEveryCommand ? others : [])];
    const results = await Promise.all(commands.map((words) => runFieldroster(...words, ...directory.flags)));
    for (const { exitCode, stderr } of results) {
      assert.equal(exitCode, 1);
      assert.match(
        stderr,
        /(?:^fieldroster: |"msg":")the database was changed by a newer release \(999-next\), and this release cannot serve it; start the newer release, or restore a backup from before the change(?:"\})?\n$/,
      );
    }
    assert.deepEqual(await digestTables(directory), digest);
    await directory.remove();
  });
});

async function write(
  load: WriteLoad,
  { url }: ServerProcess,
  directory: Provisioned,
  mark: string,
): Promise<void> {
  const client = new SignedClient(url, directory.credentials);
  const until = load.acknowledged + writesOfEachPart;
  const writers = [0, 1, 2, 3].map((writer) =>
    load.runWriter({
      writer,
      mark: `${mark}-${writer}`,
      goesOn: () => load.acknowledged < until,
      async send(call) {
        const envelope = await client.send(call);
        assert.equal(envelope.code, 0, envelope.message);
        return envelope;
      },
    }),
  );
  await Promise.all(writers).finally(() => client.close());
}

/** Sends reads, lists, batches and removals, in addition to the writes of the load. */
async function tryEveryKind(client: SignedClient, { roleIds }: Provisioned): Promise<void> {
  const users = [
    { username: 'batch.a', store_codes: ['S000001'] },
    { username: 'batch.b', role_id: roleIds[0] },
  ];
  for (const [method, target, body] of [
    ['POST', '/users/batch', { users }],
    ['GET', '/users?search=batch&limit=10'],
    ['GET', '/audit?limit=10'],
    ['GET', '/stores?limit=10'],
    ['DELETE', '/user?username=batch.a'],
  ] as const) {
    const { code, message } = await client.call(method, target, body);
    assert.equal(code, 0, `${method} ${target}: ${message}`);
  }
}
