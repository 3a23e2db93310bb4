import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { type OwnPostgres, startPostgres } from '../../../test/test-postgres.ts';
import { openSession } from './open.ts';
import { ReadOnlyPool } from './read-only-pool.ts';

let postgres: OwnPostgres;
before(async () => {
  postgres = await startPostgres({ durable: false });
});
after(() => postgres.stop());

test('statements cannot write and give up on locks, and leave nothing on a session that a pooler shares', async (t) => {
  const url = await postgres.createMigratedDatabase();
  // Its one connection stands for the session that a pooler gives to one client after another.
  const shared = new pg.Pool({ connectionString: url, max: 1 });
  const locker = new pg.Client({ connectionString: url });
  await locker.connect();
  t.after(async () => {
    await locker.end();
    await shared.end();
  });
  const { db } = openSession(new ReadOnlyPool(shared, 50));
  const settings = sql`select pg_backend_pid() as pid, current_setting('default_transaction_read_only') as reads_only,
    current_setting('lock_timeout') as lock_timeout`;
  const before = await shared.query(settings.compile(db).sql);

  await assert.rejects(sql`insert into tenant (name, created_at) values ('x', 0)`.execute(db), {
    code: '25006',
  });
  await locker.query('begin; lock table tenant');
  await assert.rejects(sql`select 1 from tenant`.execute(db), { code: '55P03' });
  await locker.query('rollback');
  const { rows } = await sql<{ reads_only: string; lock_timeout: string }>`
    select current_setting('transaction_read_only') as reads_only, current_setting('lock_timeout') as lock_timeout`.execute(
    db,
  );
  assert.deepEqual(rows, [{ reads_only: 'on', lock_timeout: '50ms' }]);

  const later = await shared.query(settings.compile(db).sql);
  assert.deepEqual(later.rows, before.rows);
  await shared.query('create table written ()');
});
