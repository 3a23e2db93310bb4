import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeOnEachEngine } from '../each-engine.ts';
import { expectFieldroster, fieldrosterCommand } from '../fieldroster-command.ts';
import type { Provisioned } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { deploymentPath } from './deployment-file.ts';

/** Makes a folder of backups, one from three weeks ago and one from three days ago. */
function folderWithOldBackups({ folder }: Provisioned): string {
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  for (const days of [21, 3]) {
    const file = join(backups, `fieldroster-${days}-days-old.backup`);
    writeFileSync(file, '');
    const atSeconds = Date.now() / 1000 - days * 24 * 3600;
    utimesSync(file, atSeconds, atSeconds);
  }
  return backups;
}

function run(env: Readonly<Record<string, string>>) {
  const { program, args, options } = fieldrosterCommand([]);
  const FIELDROSTER_COMMAND = [program, ...args].join(' ');
  return spawnSync(deploymentPath('backup.sh'), {
    cwd: options.cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', FIELDROSTER_COMMAND, ...env },
  });
}

describeOnEachEngine((provision) => {
  test('backup.sh backs up the database of a running server, removes old backups, and the new one can be served', async () => {
    const directory = await provision(3);
    const { data, database, folder } = directory;
    const server = await ServerProcess.start(directory);
    const backups = folderWithOldBackups(directory);
    const place = { FIELDROSTER_DATA: data, ...(database && { FIELDROSTER_DATABASE_URL: database }) };
    const { status, stderr } = run({ ...place, BACKUP_FOLDER: backups });
    assert.deepEqual([status, stderr], [0, '']);
    await server.stop();
    const [backup = '', ...others] = readdirSync(backups).sort();
    assert.match(backup, /^fieldroster-\d{8}T\d{6}Z\.backup$/);
    assert.deepEqual(others, ['fieldroster-3-days-old.backup'], 'what is older than two weeks goes');
    assert.equal(statSync(join(backups, backup)).mode & 0o777, 0o600);

    const restored = join(folder, 'restored');
    mkdirSync(restored);
    cpSync(join(data, 'master.key'), join(restored, 'master.key'));
    await expectFieldroster('restore', '--from', join(backups, backup), '--data', restored);
    const [application] = JSON.parse(await expectFieldroster('app', 'list', '--data', restored, '--json'));
    assert.equal(application.name, 'e2e');
    await directory.remove();
  });

  test('backup.sh that fails leaves nothing behind and removes no older backup', async () => {
    const directory = await provision(1);
    const backups = folderWithOldBackups(directory);
    const missing = run({ FIELDROSTER_DATA: join(directory.folder, 'empty'), BACKUP_FOLDER: backups });
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /there is no database in/);
    assert.equal(readdirSync(backups).length, 2);
    await directory.remove();
  });
});
