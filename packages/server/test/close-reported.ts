import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../src/database/database.ts';
import { runSql } from './test-postgres.ts';

/**
 * Closes a database, and resolves once its connections have ended in PostgreSQL too: they report what they have read as
 * they end, which may be later than here.
 *
 * @param name of the connections to wait for; when left out, all of the database, so the test must hold no other
 */
export async function closeReported(database: Database, url: string, name?: string): Promise<void> {
  await database.close();
  const running = `select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and application_name = coalesce($1, application_name)`;
  while ((await runSql(url, running, [name])).length > 0) await delay(20);
}
