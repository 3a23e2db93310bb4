import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { verifyBackup } from '@fieldroster/server/admin';
import { expectFieldroster, runFieldroster } from '../fieldroster-command.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { mountSmallDisk } from './small-disk.ts';

const notTested = 'NOT TESTED: this user may not mount a file system, which a full or read-only disk needs';

/** Makes a directory on a small disk, and a backup of it elsewhere. */
async function makePlace(t: TestContext) {
  const disk = mountSmallDisk(8);
  if (disk === undefined) {
    t.diagnostic(notTested);
    return undefined;
  }
  const directory = await provisionDirectory(200);
  t.after(async () => {
    disk.remove();
    await directory.remove();
  });
  const data = join(disk.folder, 'data');
  cpSync(directory.data, data, { recursive: true });
  const backup = join(directory.folder, 'a.backup');
  await expectFieldroster('backup', '--to', backup, ...directory.flags);
  return { disk, data, backup, folder: directory.folder, flags: directory.flags };
}

/** Asserts that a command fails with one line that has these words. */
async function assertRefused(words: readonly string[], message: RegExp): Promise<void> {
  const { exitCode, stdout, stderr } = await runFieldroster(...words);
  assert.equal(exitCode, 1, stdout);
  assert.match(stderr, message);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
}

interface Finding {
  readonly check: string;
  readonly level: string;
  readonly message: string;
  readonly advice?: string;
}

async function examine(data: string): Promise<readonly Finding[]> {
  const { stdout } = await runFieldroster('doctor', '--quick', '--json', '--data', data);
  assert.ok(!stdout.includes('could not be carried out'), stdout);
  return JSON.parse(stdout).findings;
}

/** Returns the faults that the doctor finds in the database itself. */
async function examineDatabase(data: string): Promise<readonly string[]> {
  return (await examine(data))
    .filter(({ check, level }) => check === 'database' && level === 'error')
    .map(({ message }) => message);
}

/** Commands on the database in a folder, each of which opens it. */
function commandsOn(data: string, newFile: string): readonly (readonly string[])[] {
  return [
    ['backup', '--to', newFile, '--data', data],
    ['migrate', '--data', data],
    ['migrate', '--dry-run', '--data', data],
    ['restore', '--finish', '--data', data],
  ];
}

test('a full disk of the database is called full and not failing, and everything works once there is room', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, data, folder } = place;
  disk.fill(0);
  const file = join(folder, 'of-full.backup');
  const full =
    /the database .*fieldroster\.db has no room left on its disk \(.*\): make room, and try again$/m;
  for (const words of commandsOn(data, file)) await assertRefused(words, full);
  const [message = '', ...others] = await examineDatabase(data);
  assert.match(message, full);
  assert.deepEqual(others, []);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('of-full')),
    [],
  );
  disk.free();
  await expectFieldroster('backup', '--verify', '--to', file, '--data', data);
  await expectFieldroster('migrate', '--data', data);
  assert.deepEqual(await examineDatabase(data), []);
});

test('on a full disk the doctor says everywhere to make room, and that nothing is lost', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, data } = place;
  // The first start makes the file of the bookkeeping.
  await expectFieldroster('app', 'create', '--name', 'A', '--data', data);
  assert.ok(existsSync(join(data, 'fieldroster-bookkeeping.db')));
  disk.fill(0);
  const findings = (await examine(data)).filter(({ level }) => level === 'warning' || level === 'error');
  const bookkeeping = findings.find(({ check }) => check === 'bookkeeping');
  assert.match(bookkeeping?.message ?? '', /bookkeeping\.db cannot be read without room on its disk \(.*\)$/);
  assert.match(bookkeeping?.advice ?? '', /^make room: /);
  for (const { message, advice = '' } of findings)
    assert.doesNotMatch(`${message} ${advice}`, /restart|lost/);
  assert.match(`${findings[0]?.message} ${findings[0]?.advice}`, /make room/);
});

test('a command that makes a database, a copy or a key on a full disk says so in one line, and succeeds once there is room', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, data, folder } = place;
  const at = (name: string) => join(disk.folder, name);
  const keyed = at('keyed');
  await expectFieldroster('app', 'create', '--name', 'A', '--data', keyed);
  const database = (name: string) => `the database ${at(name)}/fieldroster\\.db`;
  const key = `the key file ${keyed}/master\\.key(\\.previous)?`;
  const cases = [
    [database('new'), 400, ['app', 'create', '--name', 'A', '--data', at('new')]],
    [database('early'), 0, ['app', 'create', '--name', 'A', '--data', at('early')]],
    [database('copy'), 500, ['copy', '--from', data, '--to', at('copy')]],
    [key, 48, ['key', 'rotate', '--data', keyed]],
  ] as const;
  for (const [subject, freeKibibytes, words] of cases) {
    disk.fill(freeKibibytes * 1024);
    const { exitCode, stderr } = await runFieldroster(...words);
    assert.equal(exitCode, 1);
    assert.match(stderr, new RegExp(`^fieldroster: ${subject} .*room.*: make room, and try again\n$`, 'm'));
    disk.free();
    await expectFieldroster(...words);
  }
  const kept = at('kept.key');
  const finish = ['key', 'rotate', '--finish', '--keep-old-key', kept, '--data', join(folder, 'keyed')];
  cpSync(keyed, join(folder, 'keyed'), { recursive: true });
  disk.fill(0);
  await assertRefused(
    finish,
    new RegExp(
      `--keep-old-key names ${kept}, but its disk has no room left: make room, or name another file`,
    ),
  );
  disk.free();
  await expectFieldroster(...finish);
});

test('a read-only disk of the database is called that', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, data, folder } = place;
  disk.makeReadOnly();
  const readOnly =
    /the database .*fieldroster\.db cannot be written \(.*\), because its file system is read-only: mount it for writing/;
  for (const words of commandsOn(data, join(folder, 'of-read-only.backup')))
    await assertRefused(words, readOnly);
  const [message = '', ...others] = await examineDatabase(data);
  assert.match(message, readOnly);
  assert.deepEqual(others, []);
});

test('a disk without room for a backup, its check or a restore is named, and nothing is left on it', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, backup, flags } = place;
  const copy = join(disk.folder, 'copy.backup');
  copyFileSync(backup, copy);
  const before = readdirSync(disk.folder).sort();
  disk.fill(64 * 1024);
  const noRoom = (what: string, where = disk.folder) =>
    new RegExp(
      `^fieldroster: there is no room for ${what} in ${where} \\(.*\\): make room, or choose another disk$`,
      'm',
    );
  const target = join(disk.folder, 'target');
  for (const [words, message] of [
    [['backup', '--to', join(disk.folder, 'x'), ...flags], noRoom('the backup')],
    [['backup', 'verify', copy], noRoom('a restored copy of the backup')],
    [['restore', '--from', backup, '--data', target], noRoom('the restored database', target)],
  ] as const)
    await assertRefused(words, message);
  disk.free();
  assert.deepEqual(readdirSync(disk.folder).sort(), before);
  await verifyBackup(copy);
});

test('a restore or a copy that has room for the log of its writes, but not also for the database, is refused', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, data, backup } = place;
  const target = join(disk.folder, 'target');
  const commands = [
    ['restore', '--from', backup, '--data', target],
    ['copy', '--from', data, '--to', target],
  ];
  for (const words of commands) {
    let refusals = 0;
    // From too little for anything to enough for everything.
    for (let freeKibibytes = 256; ; freeKibibytes += 128) {
      assert.ok(freeKibibytes <= 8 * 1024, 'an empty disk has room');
      disk.fill(freeKibibytes * 1024);
      const { exitCode, stderr } = await runFieldroster(...words);
      disk.free();
      if (exitCode === 0) break;
      refusals += 1;
      assert.match(stderr, /room/);
      assert.equal(existsSync(target), false);
    }
    assert.ok(refusals > 1, `${refusals} refusals`);
    assert.deepEqual(await examineDatabase(target), []);
    rmSync(target, { recursive: true });
  }
});

test('a read-only disk for a backup, its check or a restore is named', async (t) => {
  const place = await makePlace(t);
  if (place === undefined) return;
  const { disk, backup, flags } = place;
  const copy = join(disk.folder, 'copy.backup');
  copyFileSync(backup, copy);
  const empty = join(disk.folder, 'empty');
  mkdirSync(empty);
  disk.makeReadOnly();
  const reason = 'because its file system is read-only: mount it for writing, or';
  for (const [words, message] of [
    [
      ['backup', '--to', join(disk.folder, 'x'), ...flags],
      `the backup cannot be written in ${disk.folder}, ${reason} choose another folder`,
    ],
    [
      ['backup', 'verify', copy],
      `a restored copy of the backup cannot be written in ${disk.folder}, ${reason} copy the backup into another folder and check that copy`,
    ],
    [
      ['restore', '--from', backup, '--data', empty],
      `the restored database cannot be written in ${empty}, ${reason} choose another folder`,
    ],
  ] as const)
    await assertRefused(words, new RegExp(`^fieldroster: ${message}$`, 'm'));
  assert.equal(existsSync(join(empty, 'fieldroster.db')), false);
});
