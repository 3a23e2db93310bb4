import { after } from 'node:test';
import { openTestPostgres } from '../../../test/test-postgres.ts';
import type { DatabaseUnderTest } from '../conformance/subject.ts';
import { testDatabase } from '../conformance/test-database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

testDatabase('PostgreSQL', open);

async function open(now: () => number): Promise<DatabaseUnderTest> {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ url, now });
  const second = await openPostgresDatabase({ url, now });
  const { db } = openSessionWithoutTimeout(url, 3_000);
  return {
    database,
    second,
    db,
    bookkeeping: db,
    async close() {
      await database.close();
      await second.close();
      await db.destroy();
    },
  };
}
