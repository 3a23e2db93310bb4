import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { GroupRead } from '../connections/group-read.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-file-mapping-'));
const path = join(folder, 'test.db');
const writer = new DatabaseSync(path, { readBigInts: true });
writer.exec('pragma journal_mode = wal; create table entry (bytes blob)');
writer.exec('insert into entry values (zeroblob(67108864)); pragma wal_checkpoint(truncate)');

after(() => {
  writer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Reads in groups on a connection, at times that the test sets. */
function openReads() {
  const reader = new DatabaseSync(path, { readBigInts: true });
  let nowMs = 0;
  const group = new GroupRead(reader, () => nowMs);
  const sum = () => reader.prepare('select sum(length(bytes)) as n from entry').all();
  const readAt = async (ms: number) => {
    nowMs = ms;
    const [row] = await group.submit(sum);
    return (row as { n: bigint }).n;
  };
  const limit = () => reader.prepare('pragma mmap_size').get()?.mmap_size;
  return { readAt, limit, close: () => reader.close() };
}

/** Returns how many bytes of the file this process has mapped. */
function mappedBytes(): number {
  const maps = readFileSync('/proc/self/smaps', 'latin1');
  const sizes = [...maps.matchAll(new RegExp(`${path}\\nSize: +(\\d+) kB`, 'g'))];
  return sizes.reduce((total, [, kibibytes]) => total + Number(kibibytes) * 1024, 0);
}

test('the whole file is mapped, however large, from the second read on', async (t) => {
  if (process.platform !== 'linux') {
    t.diagnostic('NOT TESTED: what is mapped is read from /proc');
    return;
  }
  const reads = openReads();
  await reads.readAt(0);
  await reads.readAt(1);
  assert.equal(mappedBytes(), statSync(path).size);
  reads.close();
});

test('a commit unmaps the file until no other has followed for ten seconds, and every read sees it', async () => {
  const reads = openReads();
  const before = await reads.readAt(0);
  assert.notEqual(reads.limit(), 0n);
  writer.exec(`insert into entry values ('1')`);
  assert.equal(await reads.readAt(1_000), before + 1n);
  assert.equal(reads.limit(), 0n);
  writer.exec(`insert into entry values ('1')`);
  assert.equal(await reads.readAt(9_000), before + 2n);
  assert.equal(await reads.readAt(18_999), before + 2n);
  assert.equal(reads.limit(), 0n);
  assert.equal(await reads.readAt(19_000), before + 2n);
  assert.notEqual(reads.limit(), 0n);
  writer.exec(`insert into entry values ('1')`);
  assert.equal(await reads.readAt(19_001), before + 3n);
  assert.equal(reads.limit(), 0n);
  reads.close();
});
