import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { connect } from './connections/connection.ts';
import { sqliteEngine } from './engine.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

async function openSession(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-engine-'));
  await (await openSqliteDatabase({ folder })).close();
  const { connection, session } = connect(join(folder, databaseFile));
  t.after(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });
  return { connection, session, db: session.db };
}

test('user ids are given in ascending order, each once, and go on from one that is set', async (t) => {
  const { session, db } = await openSession(t);
  assert.equal(await sqliteEngine.lastUserId(db), 0n);
  assert.equal(await sqliteEngine.takeUserId(session), 1n);
  assert.deepEqual(await sqliteEngine.takeUserIds(session, 3), [2n, 3n, 4n]);
  assert.equal(await sqliteEngine.lastUserId(db), 4n);
  await sqliteEngine.setLastUserId(db, 9_007_199_254_740_993n);
  assert.equal(await sqliteEngine.takeUserId(session), 9_007_199_254_740_994n);
  const others = await db.selectFrom('counter').select('value').where('name', '!=', 'user_id').execute();
  assert.deepEqual([...new Set(others.map(({ value }) => value))], [0n], 'no other counter changed');
});

test('a database without its counter of user ids gives none', async (t) => {
  const { connection, session } = await openSession(t);
  connection.exec("delete from counter where name = 'user_id'");
  await assert.rejects(sqliteEngine.takeUserId(session), {
    name: 'TypeError',
    message: 'the counter of user ids is missing',
  });
});

test('copied rows are inserted while nothing has to be set aside for them', async (t) => {
  const { session, db } = await openSession(t);
  const putBack = await sqliteEngine.setIndexesAside(db, ['tenant']);
  const rows = ['north', 'south'].map((name, index) => ({ id: BigInt(index + 5), name, created_at: 1n }));
  await sqliteEngine.insertPages(session, 'tenant', Readable.from([rows.slice(0, 1), rows.slice(1)]));
  await putBack();
  const found = await db.selectFrom('tenant').select(['id', 'name', 'created_at']).orderBy('id').execute();
  assert.deepEqual(
    found.map((row) => ({ ...row })),
    rows,
  );
});

test('overwriteDeleted makes SQLite overwrite deleted rows in the file', async (t) => {
  const { connection, db } = await openSession(t);
  const read = () => Object.values(connection.prepare('pragma secure_delete').get() ?? {})[0];
  assert.notEqual(read(), 1n);
  await sqliteEngine.overwriteDeleted(db);
  assert.equal(read(), 1n);
});

test('a JSON array of rows can be read as a table with the given columns', async (t) => {
  const { db } = await openSession(t);
  const given = sqliteEngine.rowTable('[["a", 1], ["b", 2]]', [
    { name: 'code', type: 'text' },
    { name: 'n', type: 'int64' },
  ]);
  const { rows } = await sql<object>`select code, n from ${given} order by n`.execute(db);
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { code: 'a', n: 1n },
      { code: 'b', n: 2n },
    ],
  );
});
