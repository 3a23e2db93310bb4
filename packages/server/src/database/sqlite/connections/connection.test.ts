import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect, connectReader } from './connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-connection-'));
after(() => rmSync(folder, { recursive: true }));

test('a connection for writing runs a statement for each of many rows, and returns the rows of another', async () => {
  const { connection, session } = connect(join(folder, 'rows.db'));
  connection.exec('create table counted (id integer)');
  await session.statements.each('insert into counted values (?)', [[1n], [2n]]);
  const rows = await session.statements.all('select id from counted where id > ?', [1n]);
  assert.deepEqual(
    rows.map((row) => ({ ...(row as object) })),
    [{ id: 2n }],
  );
  connection.close();
});

test('a connection for reading runs no statement for many rows', () => {
  const path = join(folder, 'read.db');
  const writer = connect(path);
  const { connection, session } = connectReader(path, writer);
  assert.throws(() => session.statements.each('delete from counted', [[]]), {
    name: 'TypeError',
    message: 'a connection for reading changes no rows',
  });
  connection.close();
  writer.connection.close();
});
