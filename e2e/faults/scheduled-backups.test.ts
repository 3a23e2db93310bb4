import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyBackup } from '@fieldroster/server/admin';
import { describeOnEachEngine } from '../each-engine.ts';
import { expectFieldroster, runFieldroster } from '../fieldroster-command.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { mountSmallDisk } from './small-disk.ts';

describeOnEachEngine((provision) => {
  test('two nodes with two workers each make one verified backup together', async () => {
    const directory = await provision(20);
    const backups = join(directory.folder, 'backups');
    mkdirSync(backups);
    const flags = ['--backup-every', '1h', '--backup-to', backups, '--workers', '2'];
    const nodes = [
      await ServerProcess.start(directory, ...flags),
      await ServerProcess.start(directory, ...flags),
    ];
    const done = () => nodes.some(({ output }) => output.includes('made and verified a backup'));
    await Promise.all(nodes.map((node) => node.until(done)));
    for (const node of nodes) assert.equal(await node.stop(), 0);
    const [name = '', ...others] = readdirSync(backups);
    assert.deepEqual(others, []);
    const { tables } = await verifyBackup(join(backups, name));
    assert.equal(tables.find(({ table }) => table === 'store')?.rows, 20);
    await directory.remove();
  });
});

test('a full backup disk is a warning; the server keeps serving, the older backup stays, and no partial file is left', async (t) => {
  const disk = mountSmallDisk(4);
  if (disk === undefined) {
    t.diagnostic('NOT TESTED: this user may not mount a file system, which a full disk needs');
    return;
  }
  const directory = await provisionDirectory(20);
  const older = join(disk.folder, 'older.backup');
  try {
    await expectFieldroster('backup', '--to', older, ...directory.flags);
    disk.fill(16 * 1024);
    const newer = join(disk.folder, 'newer.backup');
    const refused = await runFieldroster('backup', '--to', newer, ...directory.flags);
    assert.equal(refused.exitCode, 1);
    assert.match(
      refused.stderr,
      new RegExp(`^fieldroster: there is no room for the backup in ${disk.folder} \\(.*\\): make room, or`),
    );
    const flags = ['--backup-every', '60s', '--backup-to', disk.folder];
    const { exitCode, stdout } = await runFieldroster('doctor', '--quick', ...flags, ...directory.flags);
    assert.equal(exitCode, 2);
    assert.match(
      stdout,
      new RegExp(
        `^error +disk space +0 MiB free in ${disk.folder}, where backups are made; .*\n +→ make room, or`,
        'm',
      ),
    );
    const server = await ServerProcess.start(directory, ...flags);
    await server.until(() => server.output.includes('a backup failed'));
    assert.match(server.output, /ENOSPC|disk I\/O error|database or disk is full|no space/i);
    await server.untilReady();
    assert.equal(await server.stop(), 0);
    disk.free();
    await verifyBackup(older);
    assert.deepEqual(
      readdirSync(disk.folder).filter((name) => name.endsWith('.backup') || name.endsWith('.part')),
      ['older.backup'],
    );
  } finally {
    await directory.remove();
    disk.remove();
  }
});
