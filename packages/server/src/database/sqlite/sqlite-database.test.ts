import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoreUnderTest } from '../conformance/subject.ts';
import { testStore } from '../conformance/test-database.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteStore } from './open.ts';

testStore('SQLite', open);

async function open(now: () => number): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-store-'));
  const store = await openSqliteStore({ folder, now });
  const second = await openSqliteStore({ folder, now });
  const { connection, session } = connect(join(folder, databaseFile));
  return {
    store,
    second,
    db: session.db,
    async close() {
      await store.close();
      await second.close();
      connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}
