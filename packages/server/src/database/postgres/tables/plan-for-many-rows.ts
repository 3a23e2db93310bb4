import { sql } from 'kysely';
import { compileOnce } from '../../queries/compile-once.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session } from '../../queries/session.ts';

/** Tables that PostgreSQL believes to be empty or tiny, and that are not. */
const selectUnderestimated = compileOnce((db, value: { tables: readonly string[] }) =>
  db
    .selectFrom(
      sql<{ name: keyof Schema }>`(
      select relname as name from pg_class
      where oid = any(cast(${value.tables} as regclass[])) and reltuples < 1000
        and pg_relation_size(oid) > 2 * current_setting('block_size')::int)`.as('underestimated'),
    )
    .select('name'),
);

/**
 * Refreshes the statistics of tables that PostgreSQL takes for empty, which makes it plan their statements again. While
 * a new directory is filled, it would otherwise read all its users to find one of them, because with so little data
 * every index looks as good. PostgreSQL itself looks for such tables only once a minute.
 */
export async function planForManyRows(session: Session, tables: readonly (keyof Schema)[]): Promise<void> {
  const quoted = tables.map((table) => `"${table}"`);
  const underestimated = await selectUnderestimated(session, { tables: quoted });
  // A table that another transaction analyzes has its statistics soon.
  for (const { name } of underestimated)
    await sql`analyze (skip_locked) ${sql.table(name)}`.execute(session.db);
}
