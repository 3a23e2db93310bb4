import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DatabaseBusyError } from '../database.ts';
import { connect } from './connection.ts';
import { DatabaseHealth } from './database-health.ts';
import { GroupCommit } from './group-commit.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-health-'));
after(() => rmSync(parent, { recursive: true }));

/** Opens a small database with its only writer and a probe of all checks. */
function openDatabase(name: string) {
  const path = join(parent, name);
  const health = new DatabaseHealth(path);
  const { connection } = connect(path, (error) => health.noteError(error));
  connection.exec('pragma journal_mode = wal; create table counter (value); create table written (value)');
  health.watchFiles();
  const group = new GroupCommit(connection, { waitingMax: 10, lockWaitMs: 20, health });
  const write = () => group.submit(async () => void connection.exec('insert into written values (1)'));
  const probe = async (): Promise<Record<string, string>> => {
    const problems = health.checks.map(async (check) => {
      const problem = await check.probe().catch((error: Error) => `${error.name}: ${error.message}`);
      return problem === undefined ? [] : [[check.name, problem] as const];
    });
    return Object.fromEntries((await Promise.all(problems)).flat());
  };
  const count = () => connection.prepare('select count(*) as rows from written').get()?.rows;
  return { path, connection, write, probe, count };
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
  await assert.rejects(write(), (error) => error instanceof DatabaseBusyError);
  assert.deepEqual(await probe(), { disk: 'NotReadyError: the last write failed; see the log of this node' });
  connection.exec('pragma query_only = off');
  await write();
  assert.deepEqual([await probe(), count()], [{}, 1n]);
  connection.close();
});

test("another process's lock does not count as a problem of the disk", async () => {
  const { path, write, probe, connection } = openDatabase('locked.db');
  const other = connect(path).connection;
  connection.exec('pragma busy_timeout = 0');
  other.exec('begin immediate');
  await assert.rejects(write(), (error) => error instanceof DatabaseBusyError);
  other.exec('rollback');
  assert.deepEqual(await probe(), {});
  other.close();
  connection.close();
});

test('commits are refused while the file is moved away, and refused ones leave no trace', async () => {
  const { path, write, probe, count, connection } = openDatabase('moved.db');
  for (const ending of ['', '-wal', '-shm']) {
    renameSync(path + ending, `${path}.aside`);
    await assert.rejects(write(), (error: Error) => {
      assert.ok(error instanceof DatabaseBusyError);
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
