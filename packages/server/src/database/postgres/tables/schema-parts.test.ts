import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestPostgres, patient, runSql } from '../../../../test/test-postgres.ts';
import { openPostgresDatabase } from '../open.ts';
import { referenceNames, relationNames } from './schema-parts.ts';

test('the names of parts are those that the migrations make', async (t) => {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createDatabase();
  await (await openPostgresDatabase({ ...patient, url })).close();
  const namesOf = async (query: string) => (await runSql(url, query)).map(({ name }) => String(name)).sort();
  assert.deepEqual(
    await namesOf(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname <> 'user_by_text'",
    ),
    [...relationNames].sort(),
  );
  assert.deepEqual(
    await namesOf(
      "select conname as name from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f'",
    ),
    [...referenceNames].sort(),
  );
});
