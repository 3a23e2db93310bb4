import { type QueryExecutorProvider, sql } from 'kysely';

/** Kysely's own key, by which it locked migrations in earlier revisions, for the session. */
const key = 3_853_314_791_062_309_107n;

/**
 * Lets one process at a time migrate a PostgreSQL database, until the end of the transaction. A lock of the session would
 * not do behind a pooler such as PgBouncer: between two statements, others may use the connection that holds it.
 */
export async function lockMigrations(transaction: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(${key})`.execute(transaction);
}
