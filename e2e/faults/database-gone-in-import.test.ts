import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import {
  type OwnPostgres,
  runSql,
  startPostgres,
  untilRow,
} from '../../packages/server/test/test-postgres.ts';
import { collectResult, expectFieldroster, spawnFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory, storeCodeOf, storeRow } from '../provision-directory.ts';
import { digestTables } from '../read-database.ts';

let postgres: OwnPostgres;
let url: string;
let directory: Provisioned;

before(async () => {
  postgres = await startPostgres();
  url = await postgres.createMigratedDatabase();
  directory = await provisionDirectory(20, url);
});

after(async () => {
  await directory?.remove();
  await postgres.stop();
});

const header = 'code,name,address';
/** Enough for several pieces of the file. */
const rows = Array.from({ length: 5_000 }, (_, index) => storeRow(storeCodeOf(index + 100)));

/** Starts an import whose file does not end, and returns once the database has some of its rows. */
async function importEndlessFile() {
  const file = join(directory.folder, 'pipe.csv');
  rmSync(file, { force: true });
  execFileSync('mkfifo', [file]);
  const child = spawnFieldroster(['store', 'import', file, ...directory.flags]);
  const result = collectResult(child);
  const writer = createWriteStream(file);
  // The command may have ended before it read everything.
  writer.on('error', () => {});
  writer.write(`${header}\n${rows.join('\n')}\n`);
  const hasRows = "select 1 from pg_stat_activity where state like 'idle%' and query like 'insert into%'";
  await untilRow(url, hasRows, { work: result });
  return { result, file, proceed: () => writer.end(`${storeRow(storeCodeOf(99_999))}\n`) };
}

/** Starts an import that waits, within its transaction, for the lock of another session. */
async function importIntoLockedTable() {
  const file = join(directory.folder, 'locked.csv');
  writeFileSync(file, `${header}\n${rows.join('\n')}\n`);
  const holder = new pg.Client({ connectionString: url });
  // It loses its connection too.
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table store in share mode');
  const result = collectResult(spawnFieldroster(['store', 'import', file, ...directory.flags]));
  const waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%store%'";
  await untilRow(url, waits, { work: result });
  return { result, file, proceed: () => {}, release: () => holder.end() };
}

const moments = {
  'while the file is read': importEndlessFile,
  'in the transaction that changes the tables': importIntoLockedTable,
};

const ends = {
  'is killed': () => postgres.kill(),
  'is shut down': () => postgres.process.stop(),
};

for (const [moment, startImport] of Object.entries(moments)) {
  for (const [end, endDatabase] of Object.entries(ends)) {
    test(`an import during which the database ${end} ${moment} changes nothing and says so`, async () => {
      const before = await digestTables(directory);
      const { result, file, proceed } = await startImport();
      await endDatabase();
      await postgres.start();
      proceed();
      const { exitCode, stdout, stderr } = await result;
      assert.deepEqual([exitCode, stdout], [1, '']);
      const said =
        /^fieldroster: (\S+): nothing was imported: the database at \S+ is unavailable: [^\n]+; run the command again once the database answers\n$/;
      assert.equal(said.exec(stderr)?.[1], file, stderr);
      assert.deepEqual(await digestTables(directory), before);
    });
  }
}

test('an import whose commit the database did not answer says how to find out what happened', async () => {
  const { result, file, release } = await importIntoLockedTable();
  // Only now, because the import commits its preparations too.
  await replicateTo('absent');
  await release();
  await untilRow(url, "select 1 from pg_stat_activity where wait_event = 'SyncRep'", { work: result });
  await postgres.kill();
  await postgres.start();
  const { exitCode, stderr } = await result;
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /^fieldroster: \S+locked.csv: the reply to the commit was lost[^\n]+; run the command again with --dry-run to see which rows are missing\n$/,
  );
  await replicateTo('');
  const words = ['store', 'import', file, ...directory.flags];
  const dryRun = JSON.parse(await expectFieldroster(...words, '--dry-run', '--json'));
  const { inserted, changed } = JSON.parse(await expectFieldroster(...words, '--json'));
  assert.deepEqual({ inserted, changed }, { inserted: dryRun.inserted, changed: 0 });
  assert.equal(JSON.parse(await expectFieldroster(...words, '--dry-run', '--json')).inserted, 0);
});

/** Makes commits wait for a replica of this name; for none if it is empty. */
async function replicateTo(name: string): Promise<void> {
  await runSql(postgres.url, `alter system set synchronous_standby_names = '${name}'`);
  await runSql(postgres.url, 'select pg_reload_conf()');
  const reloaded = "select 1 where current_setting('synchronous_standby_names') = $1";
  await untilRow(postgres.url, reloaded, { values: [name] });
  // The process that makes checkpoints tells commits whether to wait, and notices the setting before it makes one.
  await runSql(postgres.url, 'checkpoint');
}
