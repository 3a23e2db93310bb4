import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { connectReader } from './connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-connection-'));
after(() => rmSync(folder, { recursive: true }));

const gibibyte = 2 ** 30;

/** Returns how many bytes a reader maps of a database file of that size. */
function mappedOf(fileBytes: number): unknown {
  const path = join(folder, `${fileBytes}.db`);
  const writer = new DatabaseSync(path);
  writer.exec('create table one (id integer)');
  writer.close();
  // The file system allocates no blocks for the unwritten part.
  truncateSync(path, fileBytes);
  const { connection } = connectReader(path);
  const row = connection.prepare('pragma mmap_size').get();
  connection.close();
  return row?.mmap_size;
}

test('a reader maps the start of a file, unless the file is larger than a gibibyte', () => {
  assert.equal(mappedOf(gibibyte), 32n * 1024n * 1024n);
  assert.equal(mappedOf(gibibyte + 4096), 0n);
});
