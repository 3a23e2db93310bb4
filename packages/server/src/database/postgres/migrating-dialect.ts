import { PostgresAdapter, PostgresDialect, type QueryExecutorProvider } from 'kysely';
import { lockMigrations } from '../migrations/migration-lock.ts';

/** Locks migrations for the transaction around them, not for the session as Kysely does. */
export class MigratingDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new MigratingAdapter();
  }
}

class MigratingAdapter extends PostgresAdapter {
  override acquireMigrationLock(transaction: QueryExecutorProvider): Promise<void> {
    return lockMigrations(transaction);
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction releases it.
  }
}
