import { after } from 'node:test';
import { openTestPostgres } from '../../../test/test-postgres.ts';
import type { StoreUnderTest } from '../conformance/subject.ts';
import { testStore } from '../conformance/test-database.ts';
import { openPostgresStore, openUnhurriedSession } from './open.ts';

const postgres = await openTestPostgres();
after(() => postgres.stop());

testStore('PostgreSQL', open);

async function open(now: () => number): Promise<StoreUnderTest> {
  const url = await postgres.createDatabase();
  const store = await openPostgresStore({ url, now });
  const second = await openPostgresStore({ url, now });
  const { db } = openUnhurriedSession(url, 3_000);
  return {
    store,
    second,
    db,
    async close() {
      await store.close();
      await second.close();
      await db.destroy();
    },
  };
}
