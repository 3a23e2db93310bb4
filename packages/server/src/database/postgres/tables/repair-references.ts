import { sql } from 'kysely';
import type { Session } from '../../queries/session.ts';
import { codeOf } from '../errors/error-code.ts';
import { sqlStates } from '../errors/sql-states.ts';
import { referenceNames, relationNames } from './schema-parts.ts';

interface ReferenceRow {
  /** Quoted where necessary, as PostgreSQL writes it. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Makes references again that PostgreSQL no longer enforces, as after `pg_restore --disable-triggers` was interrupted,
 * in the session's transaction. Only a superuser could enable their triggers. Making them again needs only the owner of
 * the tables, and checks the rows. A reference that rows break stays as it is, for the operator to decide about the
 * rows; so do references of other programs in the same database.
 *
 * @returns the names of those made
 */
export async function repairReferences({ db }: Session): Promise<readonly string[]> {
  const { rows } = await sql<ReferenceRow>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conname = any(${referenceNames}::text[])
      and conrelid in (select to_regclass(name) from unnest(${relationNames}::text[]) as name)
      and exists (select 1 from pg_trigger where tgconstraint = pg_constraint.oid and tgenabled = 'D')
    order by 1, 2`.execute(db);
  const made: string[] = [];
  for (const reference of rows) {
    await sql`savepoint reference`.execute(db);
    try {
      await makeAgain(db, reference);
      made.push(reference.name);
    } catch (error) {
      if (codeOf(error) !== sqlStates.foreignKeyViolation) throw error;
      await sql`rollback to savepoint reference`.execute(db);
    }
  }
  return made;
}

async function makeAgain(db: Session['db'], { table, name, definition }: ReferenceRow): Promise<void> {
  await sql`alter table ${sql.raw(table)} drop constraint ${sql.ref(name)}`.execute(db);
  await sql`alter table ${sql.raw(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db);
}
