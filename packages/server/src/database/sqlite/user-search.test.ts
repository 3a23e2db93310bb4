import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DirectoryWriter } from '../database.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

async function openDirectory(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-search-'));
  const database = await openSqliteDatabase({ folder });
  const { connection } = connect(join(folder, databaseFile));
  t.after(async () => {
    await database.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  const tenant = await database.applications.insertTenant('default');
  assert(tenant !== undefined);
  const write = (work: (directory: DirectoryWriter) => Promise<unknown>) =>
    database.write(tenant.id, undefined, async (directory) => {
      await work(directory);
      return { result: undefined, audit: { operation: 'test', changes: {} } };
    });
  return { connection, write };
}

test('the index holds only current names of existing users', async (t) => {
  const { connection, write } = await openDirectory(t);
  const query = connection.prepare('select rowid as id from user_search where user_search match ?');
  const indexed = (trigram: string) => query.all(`"${trigram}"`).map(({ id }) => id);

  await write((directory) => directory.insertUser('one', { realName: 'Before' }));
  await write((directory) => directory.insertUser('two', { realName: 'Before' }));
  assert.deepEqual(indexed('bef'), [1n, 2n]);
  await write((directory) => directory.updateUser(1n, { realName: 'After' }));
  assert.deepEqual(indexed('bef'), [2n]);
  assert.deepEqual(indexed('aft'), [1n]);
  await write((directory) => directory.users.deleteUser(2n));
  assert.deepEqual(indexed('bef'), []);
  assert.deepEqual(indexed('two'), []);
});

test('a write that changes no searched field leaves the index alone', async (t) => {
  const { connection, write } = await openDirectory(t);
  const indexed = () => connection.prepare('select * from user_search_data order by id').all();

  await write((directory) => directory.insertUser('one', { realName: 'Same' }));
  const before = indexed();
  await write((directory) => directory.updateUser(1n, { realName: 'Same', department: 'Other' }));
  await write((directory) => directory.users.setUserStatus(1n, 'disabled'));
  assert.deepEqual(indexed(), before);
});
