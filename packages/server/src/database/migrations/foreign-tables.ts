import { sql } from 'kysely';
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration';
import { copiedTables } from '../queries/imports/copy-tables.ts';
import type { Session } from '../queries/session.ts';

/** Relations of other programs in a schema that Fieldroster has not migrated yet. Ignores those of extensions. */
const foreignRelations = sql`
  from pg_class
  where relnamespace = quote_ident(current_schema())::regnamespace
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
    )`;

/** Other programs that use Kysely keep their own migrations under the same names. */
const neededNames = [...copiedTables, DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];

/** Returns the names that the first migration needs for its tables, and that something else has: a table, view or sequence. */
export function findTakenNames(session: Session): Promise<string[]> {
  return findNames(session, sql`relname = any(${neededNames})`);
}

/** Returns the tables of other programs in a database that has no directory yet. Views do not count. */
export function findForeignTables(session: Session): Promise<string[]> {
  return findNames(session, sql`relkind in ('r', 'p', 'f', 'm')`);
}

async function findNames({ db, engine }: Session, condition: ReturnType<typeof sql>): Promise<string[]> {
  // The file of the embedded database belongs to Fieldroster alone.
  if (engine.name === 'sqlite') return [];
  const { rows } = await sql<{ name: string }>`
    select relname as name ${foreignRelations} and ${condition} order by relname`.execute(db);
  return rows.map(({ name }) => name);
}
