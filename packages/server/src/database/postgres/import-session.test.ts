import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { patient, runSql, startPostgres } from '../../../test/test-postgres.ts';
import { BusyError } from '../../errors/busy-error.ts';
import { importSession } from './import-session.ts';
import { openSessionWithoutTimeout } from './open.ts';

test('a trial that fails while PostgreSQL goes away fails with its own error, not with that of the rollback', async (t) => {
  const postgres = await startPostgres({ durable: false });
  t.after(() => postgres.stop());
  const imported = importSession(openSessionWithoutTimeout(postgres.url, patient.connectTimeoutMs), Date.now);
  t.after(() => imported.close());
  const trying = imported.tryOut(async () => {
    await postgres.kill();
    throw new Error('line 7 is wrong');
  });
  await assert.rejects(trying, /^Error: line 7 is wrong$/);
});

test('work whose connection was lost does not go on with another one, whose statements would be committed alone', async (t) => {
  const postgres = await startPostgres({ durable: false });
  t.after(() => postgres.stop());
  await runSql(postgres.url, 'create table written (step int)');
  const { session, transact, close } = importSession(
    openSessionWithoutTimeout(postgres.url, patient.connectTimeoutMs),
    Date.now,
  );
  t.after(close);
  await sql`create temporary table staged (step int)`.execute(session.db);
  const work = transact(async () => {
    await sql`insert into written values (1)`.execute(session.db);
    await postgres.kill();
    await postgres.start();
    await sql`insert into written values (2)`.execute(session.db).catch(() => {});
    await sql`insert into written values (3)`.execute(session.db).catch(() => {});
  });
  await assert.rejects(work, (error) => error instanceof BusyError && /connection/.test(error.message));
  await assert.rejects(sql`select from staged`.execute(session.db), BusyError);
  assert.deepEqual(await runSql(postgres.url, 'select step from written'), []);
});
