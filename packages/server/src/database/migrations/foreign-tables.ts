import { sql } from 'kysely';
import { copiedTables } from '../queries/imports/copy-tables.ts';
import type { Session } from '../queries/session.ts';

/**
 * The relations of other programs beside which a first migration would make its tables. There are none once it has, and
 * those of extensions do not count. One statement sees both, so that a migration by another process changes nothing.
 */
const foreignRelations = sql`
  from pg_class
  where relnamespace = quote_ident(current_schema())::regnamespace
    and to_regclass('kysely_migration') is null
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
    )`;

/** Returns the names of tables that the first migration could not make, because something else has them. */
export function findTakenNames(session: Session): Promise<string[]> {
  return findNames(session, sql`relname = any(${copiedTables})`);
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
