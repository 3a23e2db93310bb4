import { after } from 'node:test';
import { openTestPostgres, patient } from '../../../test/test-postgres.ts';
import type { DatabaseUnderTest } from '../conformance/subject.ts';
import { testDatabase } from '../conformance/test-database.ts';
import { openPostgresDatabase, openSessionWithoutTimeout } from './open.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

testDatabase('PostgreSQL', open);

async function open(now: () => number): Promise<DatabaseUnderTest> {
  const url = await postgres.createMigratedDatabase();
  const database = await openPostgresDatabase({ ...patient, url, now });
  const second = await openPostgresDatabase({ ...patient, url, now });
  const { db } = openSessionWithoutTimeout(url, patient.connectTimeoutMs);
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
