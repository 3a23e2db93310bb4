import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Database, openDirectory } from '@fieldroster/server/admin';
import { temporaryFolder } from '../../scripts/testing/temporary-folder.ts';
import { seedDirectory } from './seed.ts';
import { familyName, orgOf, profile, roleOf, storeCode, storeOf } from './seeded-user.ts';

const root = join(import.meta.dirname, '../..');
const users = 1_000;

test('searches find seeded users like users that the server created', async (t) => {
  const { folder } = await seedDirectory({ root, users }, join(temporaryFolder(t), 'data'));
  assertWhole(folder);
  const { database } = await openDirectory({ data: folder, environment: {} });
  t.after(() => database.close());
  const found = async (search: string) => {
    const request = { filters: { search }, order: 'id', after: undefined, limit: 50 } as const;
    const { entries } = await database.directory(1n).lists.listUsers(request);
    return entries.map(({ username }) => username);
  };
  assert.deepEqual(await found(profile(777).email), [profile(777).username]);
  assert.ok((await found(familyName(777).slice(1))).includes(profile(777).username));
  const id = await database.write(1n, undefined, async (directory) => ({
    result: await directory.insertUser('somebody.new', { realName: 'Zyxwvut' }),
    audit: { operation: 'create-user', changes: {} },
  }));
  assert.equal(id, BigInt(users + 1));
  assert.deepEqual(await found('yxwvu'), ['somebody.new']);
});

test('seeded users have the same rows as users that the server creates', async (t) => {
  const folder = temporaryFolder(t);
  const [few, seededFolder, written] = [10, join(folder, 'seeded'), join(folder, 'written')];
  await seedDirectory({ root, users: few }, seededFolder);
  await seedDirectory({ root, users: 0 }, written);
  const { database } = await openDirectory({ data: written, environment: {} });
  for (let id = 1; id <= few; id += 1) await writeUser(database, id, few);
  await database.close();
  for (const table of ['user', 'user_role', 'user_org', 'user_store', 'counter']) {
    assert.deepEqual(rowsOf(seededFolder, table), rowsOf(written, table));
  }
});

function writeUser(database: Database, number: number, users: number): Promise<void> {
  const { username, real_name: realName, unique_code: uniqueCode, ...fields } = profile(number);
  return database.write(1n, undefined, async (directory) => {
    const id = await directory.insertUser(username, { ...fields, realName, uniqueCode, extInfo: '' });
    if (id !== BigInt(number)) throw new Error(`user ${number} was given the id ${id}`);
    await directory.replaceUserRole(id, BigInt(roleOf(number)));
    await directory.replaceUserOrg(id, BigInt(orgOf(number)));
    const store = storeOf(number, users);
    if (store !== undefined) await directory.insertUserStore(id, storeCode(store));
    return { result: undefined, audit: { operation: 'create-user', changes: {} } };
  });
}

/** Leaves out revisions and times, which differ. */
function rowsOf(folder: string, table: string) {
  using db = new DatabaseSync(join(folder, 'fieldroster.db'), { readOnly: true });
  const rows = db.prepare(`select * from ${table} order by 1, 2`).all();
  return rows.map(({ revision, created_at, updated_at, ...row }) => row);
}

function assertWhole(folder: string): void {
  using db = new DatabaseSync(join(folder, 'fieldroster.db'), { readOnly: true });
  assert.deepEqual(db.prepare('pragma foreign_key_check').all(), []);
  assert.equal(db.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
}
