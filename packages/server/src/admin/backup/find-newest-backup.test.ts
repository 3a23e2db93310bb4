import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { openDirectory } from '../open-directory.ts';
import { findNewestBackup } from './find-newest-backup.ts';
import { makeBackup } from './make-backup.ts';

const parent = mkdtempSync(join(tmpdir(), 'fieldroster-find-'));
after(() => rmSync(parent, { recursive: true }));
const data = join(parent, 'data');
const backup = join(parent, 'a.backup');
let atMs = 0;

before(async () => {
  const { database } = await openDirectory({ data, environment: {} });
  // More than a block of the compressed stream.
  const codes = Array.from({ length: 20_000 }, (_, line) => ({ line, code: `c-${line}`, name: 'x' }));
  await database.importer.importStores(
    1n,
    (async function* () {
      yield codes;
    })(),
  );
  await database.close();
  const { manifest } = await makeBackup({ data }, backup, { release: '0.1.0', verify: false });
  atMs = Date.parse(manifest.at);
});

let count = 0;

function newFolder(): string {
  const folder = join(parent, `folder-${++count}`);
  mkdirSync(folder);
  return folder;
}

/** Returns the newest backup in a folder, of whatever database. */
async function newestIn(
  folder: string,
  isWanted: Parameters<typeof findNewestBackup>[1] = () => true,
  latestMs = Infinity,
) {
  const { newest } = await findNewestBackup(folder, isWanted, latestMs);
  return newest && { file: newest.file, atMs: newest.atMs };
}

test('a backup is found under any name, and says which directory it is of', async () => {
  const folder = newFolder();
  const file = join(folder, 'notes.txt');
  copyFileSync(backup, file);
  assert.deepEqual(await newestIn(folder), { file, atMs });
  const seen: unknown[] = [];
  await findNewestBackup(folder, (tenant) => seen.push(tenant) > 0, Infinity);
  const { database } = await openDirectory({ data, environment: {} });
  assert.deepEqual(seen, [await database.tenants.findTenant('default')]);
  await database.close();
  assert.equal(await newestIn(folder, () => false), undefined);
});

test('the newest is the one with the latest moment, whenever its file was copied', async () => {
  const folder = newFolder();
  const newer = join(folder, 'newer');
  const { manifest } = await makeBackup({ data }, newer, { release: '0.1.0', verify: false });
  copyFileSync(backup, join(folder, 'copied later'));
  assert.deepEqual(await newestIn(folder), {
    file: newer,
    atMs: Date.parse(manifest.at),
  });
});

test('neither a part of a backup nor any other file counts, and none is read whole', async () => {
  const folder = newFolder();
  const path = (name: string) => join(folder, name);
  const whole = readFileSync(backup);
  const half = whole.subarray(0, whole.length / 2);
  writeFileSync(path('cut'), whole.subarray(0, -1));
  writeFileSync(path('half'), half);
  writeFileSync(path('longer'), Buffer.concat([whole, Buffer.of(0)]));
  // An interrupted copy leaves its beginning in a file of the full size, which it had reserved.
  writeFileSync(path('reserved'), half);
  writeFileSync(path('empty'), '');
  writeFileSync(path('text'), 'username,name\n');
  writeFileSync(path('fieldroster-20990101T000000Z.backup'), 'a name alone is nothing');
  writeFileSync(path('lines.zst'), zstdCompressSync('{}\n[]\n7\n'));
  writeFileSync(path('zeros.zst'), zstdCompressSync(Buffer.alloc(64 * 1024 * 1024)));
  // Reading a terabyte would take hours.
  for (const name of ['reserved', 'lines.zst']) truncateSync(path(name), 2 ** 40);
  mkdirSync(path('folder'));
  symlinkSync('nowhere', path('dangling'));
  // Opening a pipe that nobody writes to would wait for ever.
  execFileSync('mkfifo', [path('pipe')]);
  assert.equal(await newestIn(folder), undefined);
});

test('a link to a backup counts, as does a file whose time of change was set back', async () => {
  const folder = newFolder();
  const file = join(folder, 'link');
  symlinkSync(backup, file);
  assert.deepEqual(await newestIn(folder), { file, atMs });
  utimesSync(backup, 1, 1);
  assert.deepEqual(await newestIn(folder), { file, atMs });
});

test('a backup by a clock that was ahead counts only if there is no other', async () => {
  const folder = newFolder();
  const file = join(folder, 'ahead');
  copyFileSync(backup, file);
  const find = (latestMs: number) => newestIn(folder, () => true, latestMs);
  assert.deepEqual(await find(atMs - 1), { file, atMs });
  const older = join(folder, 'older');
  writeFileSync(older, backupAt(atMs - 1_000));
  // The file has a later time too, as if a clock that was ahead had dated it.
  utimesSync(file, new Date(atMs + 1), new Date(atMs + 1));
  utimesSync(older, new Date(atMs - 1_000), new Date(atMs - 1_000));
  assert.deepEqual(await find(atMs - 1), { file: older, atMs: atMs - 1_000 });
  assert.deepEqual(await find(atMs), { file, atMs });
});

/** Returns the backup, as if it had been made at another moment. */
function backupAt(ms: number): Buffer {
  const text = zstdDecompressSync(readFileSync(backup)).toString();
  return zstdCompressSync(text.replaceAll(new Date(atMs).toISOString(), new Date(ms).toISOString()));
}
