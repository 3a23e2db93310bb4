import { sql } from 'kysely';
import { compileOnce } from '../queries/compile-once.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';

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
 * Refreshes the statistics of tables that PostgreSQL takes for empty, which makes it plan their statements again. During
 * the first sync of a new directory it would otherwise read all users that the batch has created to find one of them,
 * because with so little data every index looks as good.
 */
export async function planForManyRows(session: Session, tables: readonly (keyof Schema)[]): Promise<void> {
  await analyze(session, await selectUnderestimated(session, { tables: tables.map(quote) }));
}

/** Tables in which each write looks up rows. */
const lookedUp = ['user', 'user_role', 'user_org', 'user_store', 'role', 'org', 'store'] as const;

/** Tables that have more than a few pages, and four times as many as when they were analyzed. */
const selectGrown = compileOnce((db, value: { tables: readonly string[] }) =>
  db
    .selectFrom(
      sql<{ name: keyof Schema }>`(
      select relname as name from pg_class
      where oid = any(cast(${value.tables} as regclass[]))
        and pg_relation_size(oid) > 4 * greatest(relpages, 2) * current_setting('block_size')::bigint)`.as(
        'grown',
      ),
    )
    .select('name'),
);

/**
 * Refreshes the statistics of tables that single writes have filled. PostgreSQL looks for them only once a minute. Until
 * then, each write to a new directory would read all its users to find one of them.
 */
export async function planForGrownTables(session: Session): Promise<void> {
  await analyze(session, await selectGrown(session, { tables: lookedUp.map(quote) }));
}

function quote(table: string): string {
  return `"${table}"`;
}

async function analyze(session: Session, tables: readonly { readonly name: keyof Schema }[]): Promise<void> {
  // A table that another transaction analyzes has its statistics soon.
  for (const { name } of tables) await sql`analyze (skip_locked) ${sql.table(name)}`.execute(session.db);
}
