import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openDirectory } from '@fieldroster/server';
import { seedDirectory } from './seed.ts';
import { SeededDirectories } from './seeded-directories.ts';
import { familyName, profile } from './seeded-user.ts';

const root = join(import.meta.dirname, '../..');
const users = 1_000;

test('seeded users are found as if they had been created one by one', async (t) => {
  const { folder } = await seedDirectory({ root, users }, join(newFolder(t), 'data'));
  assertWhole(folder);
  const { store } = await openDirectory({ data: folder, environment: {} });
  t.after(() => store.close());
  const found = async (search: string) => {
    const request = { filters: { search }, order: 'id', after: undefined, limit: 50 } as const;
    const { entries } = await store.directory(1n).lists.listUsers(request);
    return entries.map(({ username }) => username);
  };
  assert.deepEqual(await found(profile(777).email), [profile(777).username]);
  assert.ok((await found(familyName(777).slice(1))).includes(profile(777).username));
  const id = await store.write(1n, undefined, async (directory) => ({
    result: await directory.insertUser('somebody.new', { realName: 'Zyxwvut' }),
    audit: { operation: 'create-user', changes: {} },
  }));
  assert.equal(id, BigInt(users + 1));
  assert.deepEqual(await found('yxwvu'), ['somebody.new']);
});

test('a kept directory is used again by a later run, and copies of it are removed', async (t) => {
  const folder = newFolder(t);
  const newDirectories = () =>
    new SeededDirectories({
      newFolder: () => mkdtempSync(join(folder, 'part-')),
      postgres: () => Promise.reject(new Error('is not asked for')),
      kept: { folder: join(folder, 'kept'), root },
    });
  const directories = newDirectories();
  const first = await directories.copy({ root, users: 10 }, 'SQLite');
  const second = await newDirectories().copy({ root, users: 10 }, 'SQLite');
  assert.equal(second.appId, first.appId);
  assertWhole(first.folder);
  directories.removeCopies();
  assert.throws(() => assertWhole(first.folder));
  assertWhole(second.folder);
});

function assertWhole(folder: string): void {
  const db = new DatabaseSync(join(folder, 'fieldroster.db'), { readOnly: true });
  try {
    assert.deepEqual(db.prepare('pragma foreign_key_check').all(), []);
    assert.equal(db.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
  } finally {
    db.close();
  }
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-seed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
