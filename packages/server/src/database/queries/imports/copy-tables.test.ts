import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestPostgres, patient, runSql } from '../../../../test/test-postgres.ts';
import { openPostgresDatabase } from '../../postgres/open.ts';
import { copiedTables, keyOf } from './copy-tables.ts';

// With another key, a copy would repeat rows or leave some out as soon as a table has more than one page of them.
test('the key by which each table is copied is its primary key', async (t) => {
  const postgres = await openTestPostgres();
  t.after(() => postgres.stop());
  const url = await postgres.createMigratedDatabase();
  await (await openPostgresDatabase({ ...patient, url })).close();
  const rows = await runSql(
    url,
    `select index.indrelid::regclass::text as name, array_agg(attribute.attname::text order by place) as columns
      from pg_index as index, unnest(index.indkey) with ordinality as key(number, place), pg_attribute as attribute
      where index.indisprimary and attribute.attrelid = index.indrelid and attribute.attnum = key.number
      group by index.indrelid`,
  );
  const keys = new Map(rows.map(({ name, columns }) => [String(name).replaceAll('"', ''), columns]));
  for (const table of copiedTables) assert.deepEqual(keyOf(table), keys.get(table), table);
});
