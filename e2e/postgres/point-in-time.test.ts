import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { loadEmbeddedPostgres } from '../../packages/server/test/embedded-postgres-class.ts';
import { PostgresProcess } from '../../packages/server/test/postgres-process.ts';
import { type OwnPostgres, runSql, startPostgres } from '../../packages/server/test/test-postgres.ts';
import { expectFieldroster } from '../fieldroster-command.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { type SignedCall, SignedClient } from '../signed-client.ts';

let postgres: OwnPostgres;
let folder: string;

before(async () => {
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'fieldroster-archive-'));
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("PostgreSQL's archive restores to a moment between two writes, and restore --finish makes it safe to serve", async () => {
  const archive = await startArchiving();
  const directory = await provisionDirectory(10, await postgres.createDatabase());
  const server = await ServerProcess.start(directory);
  const client = new SignedClient(server.url, directory.credentials);
  const write = async (username: string): Promise<SignedCall> => {
    const call = client.sign('POST', '/user/stores', { username });
    assert.equal((await client.send(call)).code, 0);
    return call;
  };
  await write('before the copy');
  const copy = await copyBase();
  await write('kept');
  const [moment] = await runSql(postgres.url, 'select now()::text as at');
  const lost = await write('lost');
  client.close();
  await server.stop();
  await archiveAll(archive);
  await postgres.kill();

  const restored = await startRecovery(copy, archive, String(moment?.at));
  try {
    const database = Object.assign(new URL(directory.database ?? ''), { port: String(restored.port) }).href;
    const flags = ['--data', directory.data, '--database', database];
    const text = await expectFieldroster('restore', '--finish', ...flags);
    assert.match(text, /refused with code 1012 until/);
    const again = await ServerProcess.start({ flags });
    const reader = new SignedClient(again.url, directory.credentials);
    for (const [username, code] of [
      ['before the copy', 0],
      ['kept', 0],
      ['lost', 1101],
    ] as const) {
      const found = await reader.call('GET', `/user?username=${encodeURIComponent(username)}`);
      assert.equal(found.code, code, username);
    }
    assert.equal(
      (await reader.send(lost)).code,
      1012,
      'a write that was accepted later is not accepted again',
    );
    reader.close();
    await again.stop();
  } finally {
    await restored.stop();
    await directory.remove();
  }
});

/** Makes PostgreSQL copy each finished segment of its log into a folder. */
async function startArchiving(): Promise<string> {
  const archive = join(folder, 'archive');
  mkdirSync(archive);
  chmodSync(folder, 0o711);
  handOver(archive, await dataDirectory());
  await runSql(postgres.url, "alter system set archive_mode = 'on'");
  await runSql(
    postgres.url,
    `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
  );
  await postgres.process.stop();
  await postgres.start();
  return archive;
}

async function dataDirectory(): Promise<string> {
  const [row] = await runSql(postgres.url, 'show data_directory');
  return String(row?.data_directory);
}

/** Takes the steps of `pg_basebackup`, which the tests' binaries lack. */
async function copyBase(): Promise<string> {
  const copy = join(folder, 'base');
  const from = await dataDirectory();
  const label = await inOneSession(from, copy);
  rmSync(join(copy, 'postmaster.pid'), { force: true });
  writeOwned(copy, 'backup_label', label);
  return copy;
}

/** The function that ends a base backup must run in the session that began it. */
async function inOneSession(from: string, to: string): Promise<string> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('point in time', true)");
    execFileSync('cp', ['-a', from, to]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(true)');
    return rows[0].labelfile;
  } finally {
    await client.end();
  }
}

async function archiveAll(archive: string): Promise<void> {
  const [row] = await runSql(postgres.url, 'select pg_walfile_name(pg_current_wal_lsn()) as name');
  await runSql(postgres.url, 'select pg_switch_wal()');
  while (!existsSync(join(archive, String(row?.name)))) await delay(100);
  // The copy into the archive has a name before it is complete; the next segment follows only a complete one.
  const archived = async () =>
    String(
      (await runSql(postgres.url, 'select last_archived_wal from pg_stat_archiver'))[0]?.last_archived_wal,
    );
  while ((await archived()) < String(row?.name)) await delay(100);
}

async function startRecovery(databaseDir: string, archive: string, moment: string) {
  writeOwned(databaseDir, 'recovery.signal', '');
  writeOwned(
    databaseDir,
    'postgresql.auto.conf',
    `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`,
  );
  const Postgres = await loadEmbeddedPostgres();
  const port = Number(new URL(postgres.url).port);
  const server = new Postgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: process.getuid?.() === 0,
    // A recovering server needs as many connections as the one that wrote the log.
    postgresFlags: ['-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  });
  // The package waits for a message that a recovering server words differently.
  server.start().catch(() => {});
  await untilPromoted();
  const running = new PostgresProcess(server);
  return { port, stop: () => running.stop() };
}

async function untilPromoted(): Promise<void> {
  for (let attempts = 600; ; attempts--) {
    const rows = await runSql(postgres.url, 'select pg_is_in_recovery() as recovering').catch(() => []);
    if (rows[0]?.recovering === false) return;
    assert.ok(attempts > 1, 'the recovery ends');
    await delay(100);
  }
}

function writeOwned(path: string, name: string, text: string): void {
  writeFileSync(join(path, name), text, { mode: 0o600 });
  handOver(join(path, name), path);
}

/** PostgreSQL accepts only its own files. */
function handOver(path: string, likeThat: string): void {
  const { uid, gid } = statSync(likeThat);
  chownSync(path, uid, gid);
}
