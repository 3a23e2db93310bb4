import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filesAside, nameAside, removeOldestAside } from './damaged-files.ts';

/** Makes a folder with empty files, and returns the path of a file in it that does not exist. */
function makeFolder(t: TestContext, names: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-damaged-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of names) writeFileSync(join(folder, name), '');
  return { folder, path: join(folder, 'own.db') };
}

const at = (day: number) => `own.db.damaged-2026110${day}T000000`;

/** Files that only look like damaged ones that were moved aside. */
const others = [
  'own.db',
  'own.db-wal',
  'own.db.damaged-by-me',
  'own.db.damaged-20261101T000000-journal',
  'another.db.damaged-20261101T000000',
  'not-own.db.damaged-20261101T000000',
];

test('a damaged file is named by the second at which it is moved aside', () => {
  assert.equal(
    nameAside('/data/own.db', new Date('2026-11-30T01:02:03.456Z')),
    '/data/own.db.damaged-20261130T010203',
  );
});

test('the newest three damaged files stay with their logs, and no other file is removed', (t) => {
  const newest = [at(4), `${at(4)}-shm`, at(5), at(6), `${at(6)}-wal`];
  const oldest = [at(3), at(1), `${at(1)}-wal`, `${at(1)}-shm`, `${at(2)}-wal`];
  const { folder, path } = makeFolder(t, [...newest, ...oldest, ...others]);
  removeOldestAside(path);
  assert.deepEqual(readdirSync(folder).sort(), [...newest, ...others].sort());
  removeOldestAside(path);
  assert.deepEqual(readdirSync(folder).sort(), [...newest, ...others].sort());
});

test('damaged files are listed with their logs, the oldest first', (t) => {
  const { folder, path } = makeFolder(t, [at(2), `${at(1)}-wal`, at(1), ...others]);
  const expected = [at(1), `${at(1)}-wal`, at(2)].map((name) => join(folder, name));
  assert.deepEqual(filesAside(path), expected);
});

test('damaged files that cannot be removed do not stop their caller', (t) => {
  const { folder } = makeFolder(t, []);
  removeOldestAside(join(folder, 'absent', 'own.db'));
});
