import { openPostgresTestDatabase } from './postgres-test-database.ts';
import { openSqliteTestDatabase } from './sqlite-test-database.ts';

import { type TestDatabase, type TestDatabaseOptions, testEngineVariable } from './test-database-parts.ts';

export type * from './test-database-parts.ts';

export function openTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const engine = process.env[testEngineVariable] || 'sqlite';
  if (engine === 'sqlite') return openSqliteTestDatabase(options);
  if (engine === 'postgres') return openPostgresTestDatabase(options);
  throw new RangeError(`${testEngineVariable} is "${engine}"; it must be sqlite or postgres`);
}
