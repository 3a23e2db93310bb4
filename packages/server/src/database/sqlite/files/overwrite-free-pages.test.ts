import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Transact } from '../../queries/session.ts';
import { connect } from '../connections/connection.ts';
import { overwriteFreePages } from './overwrite-free-pages.ts';

const secret = 'mara.okafor';

/** Makes a file with many free pages that still have a text. */
function openWithFreePages(t: TestContext, pages: number) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-free-pages-'));
  const path = join(folder, 'test.db');
  const { connection, session } = connect(path);
  t.after(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });
  connection.exec('pragma secure_delete = fast; create table kept (value text)');
  const usePages = (count: number) => {
    connection.exec('create table former (value text)');
    const insert = connection.prepare('insert into former values (?)');
    for (let page = 0; page < count; page++) insert.run(secret.repeat(360));
  };
  const freePages = (count: number) => {
    usePages(count);
    connection.exec('drop table former');
  };
  connection.exec('begin');
  usePages(pages);
  connection.exec('commit; drop table former');
  const transact: Transact = async (work) => {
    connection.exec('begin immediate');
    const result = await work(session);
    connection.exec('commit');
    return result;
  };
  const tables = () =>
    connection
      .prepare('select name from sqlite_schema')
      .all()
      .map(({ name }) => name);
  return { connection, path, freePages, transact, tables };
}

for (const pages of [2, 249, 250, 251, 2_000]) {
  test(`${pages} free pages keep no text, and the file keeps its size`, async (t) => {
    const { connection, path, transact, tables } = openWithFreePages(t, pages);
    const count = connection.prepare('pragma page_count');
    const before = Number(count.get()?.page_count);
    assert.ok(readFileSync(path).includes(secret));
    assert.equal(await overwriteFreePages(transact), true);
    assert.ok(!readFileSync(path).includes(secret));
    assert.ok(Number(count.get()?.page_count) <= before + 4);
    assert.deepEqual(tables(), ['kept']);
    assert.equal(connection.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  });
}

test('what an interrupted command left is removed', async (t) => {
  const { path, transact, tables } = openWithFreePages(t, 2_000);
  let steps = 0;
  const interrupted: Transact = (work) => {
    steps += 1;
    return steps > 4 ? Promise.reject(new Error('interrupted')) : transact(work);
  };
  await assert.rejects(overwriteFreePages(interrupted), /interrupted/);
  assert.deepEqual(tables(), ['kept', 'free_space_filler']);
  assert.equal(await overwriteFreePages(transact), true);
  assert.deepEqual(tables(), ['kept']);
  assert.ok(!readFileSync(path).includes(secret));
});

test('it ends even if others free pages faster, and says so', async (t) => {
  const { freePages, transact, tables } = openWithFreePages(t, 500);
  const beside: Transact = (work) =>
    transact((session) => {
      if (tables().includes('free_space_filler')) freePages(300);
      return work(session);
    });
  assert.equal(await overwriteFreePages(beside), false);
  assert.deepEqual(tables(), ['kept']);
});
