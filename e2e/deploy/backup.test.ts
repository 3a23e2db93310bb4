import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startPostgres } from '../../packages/server/test/test-postgres.ts';
import { expectFieldroster } from '../fieldroster-command.ts';
import { ServerProcess } from '../server-process.ts';
import { deploymentPath } from './deployment-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-backup-'));
after(() => rmSync(folder, { recursive: true }));

/** A folder of backups, one from three weeks ago and one from three days ago. */
function folderWithOldBackups(name: string, ending: string): string {
  const backups = join(folder, name);
  mkdirSync(backups);
  for (const days of [21, 3]) {
    const file = join(backups, `fieldroster-${days}-days-old.${ending}`);
    writeFileSync(file, '');
    const atSeconds = Date.now() / 1000 - days * 24 * 3600;
    utimesSync(file, atSeconds, atSeconds);
  }
  return backups;
}

function run(script: string, env: Readonly<Record<string, string>>) {
  return spawnSync(deploymentPath(script), {
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
  });
}

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).error === undefined;
}

if (isInstalled('sqlite3')) {
  test('backup-sqlite.sh copies the database of a running server, and the copy can be served', async () => {
    const data = join(folder, 'data');
    await expectFieldroster('app', 'create', '--name', 'kept', '--data', data);
    const server = await ServerProcess.start({ flags: ['--data', data] });
    const backups = folderWithOldBackups('sqlite', 'db');
    const { status, stderr } = run('backup-sqlite.sh', { FIELDROSTER_DATA: data, BACKUP_FOLDER: backups });
    assert.deepEqual([status, stderr], [0, '']);
    await server.stop();
    const [copy = '', ...others] = readdirSync(backups).sort();
    assert.match(copy, /^fieldroster-\d{8}T\d{6}Z\.db$/);
    assert.deepEqual(others, ['fieldroster-3-days-old.db'], 'what is older than two weeks goes');
    assert.equal(statSync(join(backups, copy)).mode & 0o777, 0o600);

    const restored = join(folder, 'restored');
    mkdirSync(restored);
    copyFileSync(join(backups, copy), join(restored, 'fieldroster.db'));
    copyFileSync(join(data, 'master.key'), join(restored, 'master.key'));
    const [application] = JSON.parse(await expectFieldroster('app', 'list', '--data', restored, '--json'));
    assert.equal(application.name, 'kept');
  });

  test('backup-sqlite.sh that fails leaves nothing behind and removes no older copy', () => {
    const backups = folderWithOldBackups('sqlite-failed', 'db');
    const data = join(folder, 'empty');
    mkdirSync(data);
    const missing = run('backup-sqlite.sh', { FIELDROSTER_DATA: data, BACKUP_FOLDER: backups });
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /there is no database .*fieldroster\.db/);
    assert.deepEqual(readdirSync(data), []);
    writeFileSync(join(data, 'fieldroster.db'), 'this is not a database, and long enough to be read as one');
    const damaged = run('backup-sqlite.sh', { FIELDROSTER_DATA: data, BACKUP_FOLDER: backups });
    assert.notEqual(damaged.status, 0);
    assert.equal(readdirSync(backups).length, 2);
  });
} else {
  console.error('NOT TESTED: deploy/backup-sqlite.sh, because there is no sqlite3');
}

if (isInstalled('pg_dump')) {
  test('backup-postgresql.sh dumps what pg_dump may, and otherwise leaves everything as it was', async (t) => {
    const postgres = await startPostgres({ durable: false });
    t.after(() => postgres.stop());
    const { hostname, port } = new URL(postgres.url);
    const passwordFile = join(folder, 'password');
    writeFileSync(passwordFile, 'postgres\n');
    const backups = folderWithOldBackups('postgresql', 'dump');
    const login = { PGHOST: hostname, PGPORT: port, PGUSER: 'postgres', PGDATABASE: 'postgres' };
    const { status, stderr } = run('backup-postgresql.sh', {
      ...login,
      PGPASSWORD_FILE: passwordFile,
      BACKUP_FOLDER: backups,
    });
    const kept = readdirSync(backups).sort();
    if (/server version mismatch/.test(stderr)) {
      t.diagnostic('NOT TESTED: a complete dump, because pg_dump is older than the server');
      assert.notEqual(status, 0);
      assert.deepEqual(kept, ['fieldroster-21-days-old.dump', 'fieldroster-3-days-old.dump']);
      return;
    }
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(kept.slice(1), ['fieldroster-3-days-old.dump']);
    assert.match(kept[0] ?? '', /^fieldroster-\d{8}T\d{6}Z\.dump$/);
  });
} else {
  console.error('NOT TESTED: deploy/backup-postgresql.sh, because there is no pg_dump');
}
