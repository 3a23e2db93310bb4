import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Erasure } from '../../database/database.ts';
import { addToErasureFile, erasureFile, readErasureFile } from './erasure-file.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-erasures-'));
after(() => rmSync(parent, { recursive: true }));

const newList = () => join(mkdtempSync(join(parent, 'list-')), erasureFile);

const erasureOf = (userId: bigint): Erasure => ({ tenantId: 1n, userId, usernameHash: 'ab', atMs: 7 });

async function idsIn(path: string): Promise<bigint[]> {
  return (await readErasureFile(path)).map(({ userId }) => userId);
}

test('of several commands that add to a list at once, none loses what another one added', async () => {
  const path = newList();
  const ids = Array.from({ length: 20 }, (_, index) => BigInt(index));
  await Promise.all(ids.map((id) => addToErasureFile(path, [erasureOf(id)])));
  assert.deepEqual(new Set(await idsIn(path)), new Set(ids));
  assert.deepEqual(readdirSync(join(path, '..')), [erasureFile]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('what is in the list already is not added again', async () => {
  const path = newList();
  await addToErasureFile(path, [erasureOf(1n)]);
  const { ino } = statSync(path);
  await addToErasureFile(path, [erasureOf(1n)]);
  assert.equal(statSync(path).ino, ino);
  await addToErasureFile(path, [erasureOf(2n), erasureOf(1n)]);
  assert.deepEqual(await idsIn(path), [1n, 2n]);
});

test('the draft of a killed command is replaced after a while', async () => {
  const path = newList();
  writeFileSync(`${path}.new`, 'half a li');
  await addToErasureFile(path, [erasureOf(1n)], 50);
  assert.deepEqual(await idsIn(path), [1n]);
  assert.deepEqual(readdirSync(join(path, '..')), [erasureFile]);
});

test('a list that cannot be written is reported', async () => {
  const path = join(parent, 'no such folder', erasureFile);
  await assert.rejects(addToErasureFile(path, [erasureOf(1n)]), { code: 'ENOENT' });
});
