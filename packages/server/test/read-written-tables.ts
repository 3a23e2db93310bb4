import type { Kysely } from 'kysely';
import type { Schema } from '../src/database/queries/schema.ts';

/** Returns all rows that a write could touch. */
export async function readWrittenTables(db: Kysely<Schema>): Promise<Record<string, unknown>> {
  const bindings = ['user_role', 'user_org', 'user_store'] as const;
  const tables = ['user', ...bindings, 'role', 'org', 'store', 'audit_event', 'accepted_write'] as const;
  const rows = tables.map(async (table) => [table, await db.selectFrom(table).selectAll().execute()]);
  return Object.fromEntries(await Promise.all(rows));
}
