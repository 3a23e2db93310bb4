import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { mountSmallDisk } from '../../../../../../e2e/faults/small-disk.ts';
import { BusyError } from '../../../errors/busy-error.ts';
import { connect } from '../connections/connection.ts';
import { isBusy } from '../errors/retry-while-busy.ts';
import { GroupCommit } from '../writes/group-commit.ts';
import { LocalWriter } from '../writes/writer.ts';
import { DatabaseHealth } from './database-health.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-health-'));
after(() => rmSync(parent, { recursive: true }));

/** Opens a small database with its only writer and a probe of all checks. */
function openDatabase(name: string) {
  const path = join(parent, name);
  const health = new DatabaseHealth(path);
  const { connection, session } = connect(path, (error) => health.noteError(error));
  connection.exec('pragma journal_mode = wal; create table counter (value); create table written (value)');
  health.watchFiles();
  const group = new GroupCommit(new LocalWriter({ connection, session }), {
    waitingMax: 10,
    lockWaitMs: 20,
    health,
  });
  const writeNothing = () => group.submit(async () => {});
  const write = () => group.submit(async () => void connection.exec('insert into written values (1)'));
  const probe = async (): Promise<Record<string, string>> => {
    const problems = health.checks.map(async (check) => {
      const problem = await check.probe().catch((error: Error) => `${error.name}: ${error.message}`);
      return problem === undefined ? [] : [[check.name, problem] as const];
    });
    return Object.fromEntries((await Promise.all(problems)).flat());
  };
  const count = () => connection.prepare('select count(*) as rows from written').get()?.rows;
  return { path, health, connection, write, writeNothing, probe, count };
}

test('a database with intact files reports no problem', async () => {
  const { write, probe, connection } = openDatabase('sound.db');
  await write();
  assert.deepEqual(await probe(), {});
  connection.close();
});

test('a write that fails because of the disk is undone, and the problem is reported until a write succeeds', async () => {
  const { write, probe, count, connection } = openDatabase('read-only.db');
  connection.exec('pragma query_only = on');
  await assert.rejects(write(), (error) => error instanceof BusyError);
  assert.deepEqual(await probe(), { disk: 'NotReadyError: the last write failed; see the log of this node' });
  connection.exec('pragma query_only = off');
  await write();
  assert.deepEqual([await probe(), count()], [{}, 1n]);
  connection.close();
});

test('after a failed write, only a commit that reached the disk ends the report, even if it had nothing to change', async () => {
  const { path, write, writeNothing, probe, connection } = openDatabase('nothing-written.db');
  const logBytes = () => statSync(`${path}-wal`).size;
  const before = logBytes();
  await writeNothing();
  assert.equal(logBytes(), before, 'nothing was to be written');
  connection.exec('pragma query_only = on');
  await assert.rejects(write(), (error) => error instanceof BusyError);
  connection.exec('pragma query_only = off');
  await writeNothing();
  assert.ok(logBytes() > before, 'the commit has reached the disk');
  assert.deepEqual(await probe(), {});
  connection.close();
});

test('a file system that has become read-only is reported before a write fails, until it is writable again', async (t) => {
  const disk = mountSmallDisk(8);
  if (disk === undefined)
    return t.diagnostic('NOT TESTED: this user may not mount a file system, which a read-only disk needs');
  t.after(() => disk.remove());
  const path = join(disk.folder, 'a.db');
  const connection = new DatabaseSync(path);
  connection.exec('create table written (value)');
  connection.close();
  const check = new DatabaseHealth(path).checks.find(({ name }) => name === 'disk') ?? assert.fail();
  assert.equal(await check.probe(), undefined);
  disk.makeReadOnly();
  await assert.rejects(async () => check.probe(), {
    name: 'NotReadyError',
    message:
      'its file system is read-only; find the reason in the kernel log (dmesg), and mount it writable again',
  });
  disk.makeWritable();
  assert.equal(await check.probe(), undefined);
});

test("another process's lock does not count as a problem of the disk", async () => {
  const { path, write, probe, connection } = openDatabase('locked.db');
  const other = connect(path).connection;
  connection.exec('pragma busy_timeout = 0');
  other.exec('begin immediate');
  await assert.rejects(write(), (error) => error instanceof BusyError);
  other.exec('rollback');
  assert.deepEqual(await probe(), {});
  other.close();
  connection.close();
});

if (process.platform === 'linux')
  test('a lock that this process keeps is reported once a write has waited for it, until the lock ends', async () => {
    const { path, write, probe, connection } = openDatabase('kept-lock.db');
    const kept = connect(path).connection;
    connection.exec('pragma busy_timeout = 0');
    kept.exec('begin immediate');
    assert.deepEqual(await probe(), {});
    await assert.rejects(write(), (error) => error instanceof BusyError);
    assert.match((await probe()).disk ?? '', /^NotReadyError: the system did not end a lock of this node/);
    kept.exec('rollback');
    assert.deepEqual(await probe(), {});
    await write();
    kept.exec('begin immediate');
    assert.deepEqual(await probe(), {}, 'no write waits for it');
    kept.exec('rollback');
    kept.close();
    connection.close();
  });

test('a folder that is moved away is named as the problem of the disk', async () => {
  mkdirSync(join(parent, 'moved'));
  const { probe, connection } = openDatabase('moved/of-folder.db');
  renameSync(join(parent, 'moved'), join(parent, 'aside'));
  const { disk, 'database file': file } = await probe();
  assert.match(disk ?? '', /^NotReadyError: its folder was removed or moved while this node runs/);
  assert.match(file ?? '', /^NotReadyError: its file was removed or replaced/);
  renameSync(join(parent, 'aside'), join(parent, 'moved'));
  connection.close();
});

test('commits are refused while the file is moved away, and refused ones leave no trace', async () => {
  const { path, write, probe, count, connection } = openDatabase('moved.db');
  for (const ending of ['', '-wal', '-shm']) {
    renameSync(path + ending, `${path}.aside`);
    await assert.rejects(write(), (error: Error) => {
      assert.ok(error instanceof BusyError);
      assert.equal(error.message, `${path + ending} was removed or replaced while the server runs`);
      return true;
    });
    assert.match(
      String((await probe())['database file']),
      /^NotReadyError: its file was removed or replaced/,
    );
    renameSync(`${path}.aside`, path + ending);
    assert.deepEqual(await probe(), {});
  }
  await write();
  assert.equal(count(), 1n);
  connection.close();
});

/** Replaces the first bytes of a file without replacing the file. */
function overwriteStart(path: string, text: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, text, 0);
  closeSync(file);
}

const isDamageReport = (error: Error & { readonly cause?: unknown }) => {
  assert.match(
    error.message,
    /damaged or could not be read; run fieldroster doctor before you restore a backup/,
  );
  assert.match(String(error.cause), /file is not a database/);
  return true;
};

test('a damaged file is reported with its error, and takes no commits even after it was repaired', async () => {
  const { path, health, write, probe, connection, count } = openDatabase('damaged.db');
  await write();
  connection.exec('pragma wal_checkpoint(truncate)');
  const [file] = health.checks;
  overwriteStart(path, 'not a database!!');
  for (const start of ['not a database!!', 'SQLite format 3\0']) {
    overwriteStart(path, start);
    await assert.rejects(async () => file?.probe(), isDamageReport);
    await assert.rejects(write(), (error: Error) => {
      assert.ok(error instanceof BusyError);
      return isDamageReport(error);
    });
    assert.deepEqual(Object.keys(await probe()), ['database file'], 'the disk is fine');
  }
  assert.equal(count(), 1n);
  connection.close();
});

test('a commit that finds damage counts against the file, and not against the disk', async () => {
  const { health, probe, connection } = openDatabase('damaged-commit.db');
  health.noteCommit(Object.assign(new Error('database disk image is malformed'), { errcode: 11 }));
  assert.deepEqual(Object.keys(await probe()), ['database file']);
  connection.close();
});

test('a statement that fails on a sound file does not make the file count as damaged', async () => {
  const { health, probe, write, connection } = openDatabase('mistyped.db');
  health.noteError(new Error('no such table: x'));
  await write();
  assert.deepEqual(await probe(), {});
  connection.close();
});

test('a file that cannot be looked at because of a lock is not damaged', async () => {
  const path = join(parent, 'exclusive.db');
  const other = new DatabaseSync(path);
  other.exec('create table one (id integer); begin exclusive');
  const [file] = new DatabaseHealth(path).checks;
  await assert.rejects(async () => file?.probe(), isBusy);
  other.exec('rollback');
  assert.equal(await file?.probe(), undefined);
  other.close();
});

test('looking at a missing file does not create it', async () => {
  const path = join(parent, 'missing.db');
  const [file] = new DatabaseHealth(path).checks;
  await assert.rejects(async () => file?.probe(), /unable to open database file/);
  assert.equal(existsSync(path), false);
});

test('looking at a file leaves no connection open, so that the last one to close removes the log', async () => {
  const { path, write, probe, connection } = openDatabase('looked-at.db');
  await write();
  await probe();
  connection.close();
  assert.equal(existsSync(`${path}-wal`), false);
});

test('a disk that cannot be asked for its room is reported', async () => {
  const cause = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  const disk = new DatabaseHealth(join(parent, 'some.db'), () => Promise.reject(cause)).checks[1];
  await assert.rejects(async () => disk?.probe(), cause);
});

test('a disk with less than a mebibyte of room is reported with the error of the last write', async () => {
  let freeBytes = 1024 * 1024;
  const health = new DatabaseHealth(join(parent, 'full.db'), async () => freeBytes);
  const disk = health.checks[1];
  assert.equal(await disk?.probe(), undefined);
  const cause = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  health.noteCommit(cause);
  await assert.rejects(async () => disk?.probe(), { message: /^the last write failed; see the log/, cause });
  freeBytes -= 1;
  await assert.rejects(async () => disk?.probe(), { message: 'its disk has no room left; make room', cause });
});
