import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { openTestPostgres, runSql } from '../../../test/test-postgres.ts';
import { openPostgresSource, openPostgresTarget } from './copy-session.ts';

const postgres = await openTestPostgres({ durable: false });
after(() => postgres.stop());

async function lockTimeoutOf(open: typeof openPostgresSource, url: string): Promise<string | undefined> {
  const copy = await open(url);
  const { rows } = await sql<{ ms: string }>`select current_setting('lock_timeout') as ms`.execute(
    copy.session.db,
  );
  await copy.close();
  return rows[0]?.ms;
}

test('a copy waits a minute for a lock, unless the database says otherwise', async () => {
  const url = await postgres.createDatabase();
  for (const open of [openPostgresTarget, openPostgresSource])
    assert.equal(await lockTimeoutOf(open, url), '1min');
  await runSql(url, `alter database "${new URL(url).pathname.slice(1)}" set lock_timeout = '2s'`);
  for (const open of [openPostgresTarget, openPostgresSource])
    assert.equal(await lockTimeoutOf(open, url), '2s');
});
