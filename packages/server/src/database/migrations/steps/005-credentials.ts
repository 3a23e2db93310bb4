import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { columnTypesOf } from './column-types.ts';

/** Adds what operators can change of an application, and who made a change that no signed request made. */
export async function credentials(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  const { int64, text } = columnTypesOf(engine);
  // SQLite adds one column per statement.
  await db.schema.alterTable('application').addColumn('rate_limit', int64).execute();
  await db.schema.alterTable('application').addColumn('allowed_addresses', text).execute();
  await db.schema.alterTable('application').addColumn('expires_at', int64).execute();
  await db.schema.alterTable('audit_event').addColumn('actor', text).execute();
  await sql`insert into counter (name, value) values ('audit_purged_at', 0)`.execute(db);
}
