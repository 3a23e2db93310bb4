import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openTestPostgres, patient } from '../../../test/test-postgres.ts';
import { askBookkeeping, fillBookkeeping, type LoggedStatement } from '../conformance/bookkeeping-plans.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import type { Schema } from '../queries/schema.ts';
import { postgresEngine } from './engine.ts';
import { openPostgresDatabase } from './open.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

test('no query about calls or secrets reads a whole table on PostgreSQL', async () => {
  const url = await postgres.createMigratedDatabase();
  await (await openPostgresDatabase({ ...patient, url })).close();
  const pool = new pg.Pool({ connectionString: url });
  const asked: LoggedStatement[] = [];
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => {
      asked.push(query);
    },
  });
  await fillBookkeeping(db);
  await pool.query('vacuum analyze');
  asked.length = 0;
  await askBookkeeping(queryBuilderSession(db, postgresEngine));
  assert.ok(asked.length >= 10);
  // A query with an offset reads the thousands of rows that it skips, whatever its plan.
  for (const { sql, parameters } of asked.filter((each) => !each.sql.includes(' offset '))) {
    const { rows } = await pool.query(`explain ${sql}`, [...parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    // The table of counted failures has a row for a minute at most, and is empty here.
    assert.doesNotMatch(plan, /Seq Scan on (call_|failed_|secret_)/, `${sql}\n${plan}`);
  }
  await db.destroy();
});
