import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../store.ts';
import { type StoreUnderTest, testStore } from '../store-conformance.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteStore } from './open.ts';

testStore('SQLite', open);

async function open(now: () => number): Promise<StoreUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-store-'));
  const store = await openSqliteStore({ folder, now });
  const { connection, session } = connect(join(folder, databaseFile));
  const stores: Store[] = [store];
  return {
    store,
    db: session.db,
    async openAgain() {
      const another = await openSqliteStore({ folder, now });
      stores.push(another);
      return another;
    },
    async close() {
      await Promise.all(stores.map((each) => each.close()));
      connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}
