import { join } from 'node:path';
import { bookkeepingFile } from '../src/database/sqlite/bookkeeping/bookkeeping-file.ts';
import { connect } from '../src/database/sqlite/connections/connection.ts';
import { databaseFile, openSqliteDatabase } from '../src/database/sqlite/open.ts';
import type { TestDatabase, TestDatabaseOptions } from './test-database-parts.ts';

/** Opens the SQLite file in the folder, and creates a missing one. */
export async function openSqliteTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const database = await openSqliteDatabase(options);
  const { connection, session } = connect(join(options.folder, databaseFile));
  const bookkeeping = connect(join(options.folder, bookkeepingFile));
  return {
    database,
    db: session.db,
    bookkeeping: bookkeeping.session.db,
    faults: {
      locked: /keeps the database locked/,
      missingTable: (name) => new RegExp(`no such table: ${name}\\b`),
    },
    async whileLocked(work) {
      connection.exec('begin immediate');
      try {
        return await work();
      } finally {
        connection.exec('rollback');
      }
    },
    async dropUsers() {
      connection.exec('pragma foreign_keys = off; drop table "user"');
    },
    async close() {
      await database.close();
      connection.close();
      bookkeeping.connection.close();
    },
  };
}
