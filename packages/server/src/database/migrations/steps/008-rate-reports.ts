import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../queries/session.ts';

/**
 * Creates the table in which nodes exchange their use of rate limits. Only PostgreSQL serves several nodes.
 * The table is not logged: its rows live for a minute, and a crash of the database may lose them.
 */
export async function rateReports(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`create unlogged table rate_report (
    process text collate "C" primary key,
    report jsonb not null,
    reported_at bigint not null
  )`.execute(db);
}
