import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseUnderTest } from '../conformance/subject.ts';
import { testDatabase } from '../conformance/test-database.ts';
import { bookkeepingFile } from './bookkeeping-file.ts';
import { connect } from './connection.ts';
import { databaseFile, openSqliteDatabase } from './open.ts';

testDatabase('SQLite', open);

async function open(now: () => number): Promise<DatabaseUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-database-'));
  const database = await openSqliteDatabase({ folder, now });
  const second = await openSqliteDatabase({ folder, now });
  const { connection, session } = connect(join(folder, databaseFile));
  const bookkeeping = connect(join(folder, bookkeepingFile));
  return {
    database,
    second,
    db: session.db,
    bookkeeping: bookkeeping.session.db,
    async close() {
      await database.close();
      await second.close();
      connection.close();
      bookkeeping.connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}
