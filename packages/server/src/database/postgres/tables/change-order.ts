import { type Kysely, sql } from 'kysely';
import { type Faults, faultsCountedMax } from '../../database.ts';
import { createChangeTriggers } from '../../migrations/steps/012-user-change.ts';
import { faultsOf, noFaults } from '../../queries/inspection/faults.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session } from '../../queries/session.ts';

const triggers = ['user_change', 'user_change_moved'];

/**
 * Finds triggers of the order of changes (decision 025) that are missing or do not fire, as after
 * `pg_restore --disable-triggers` was interrupted.
 */
export async function findSilentTriggers({ db }: Session): Promise<Faults> {
  if (!(await isChangeOrderKept(db))) return noFaults;
  const rows = await readTriggers(db);
  const firing = new Set(rows.filter(({ state }) => state === 'O' || state === 'A').map(({ name }) => name));
  const silent = triggers.filter((name) => !firing.has(name));
  const present = new Set(rows.map(({ name }) => name));
  return faultsOf(silent.map((name) => `${name} is ${present.has(name) ? 'disabled' : 'missing'}`));
}

/** Reads the triggers of the users' table. PostgreSQL's states: O fires, A also in replication, D is disabled. */
async function readTriggers(db: Kysely<Schema>): Promise<{ name: string; state: string }[]> {
  const { rows } = await sql<{ name: string; state: string }>`
    select tgname as name, tgenabled as state from pg_trigger where tgrelid = '"user"'::regclass`.execute(db);
  return rows;
}

/** Compares the order of changes with the users. */
export async function findChangeOrderFaults({ db }: Session): Promise<Faults> {
  if (!(await isChangeOrderKept(db))) return noFaults;
  const { rows } = await sql<{ tenant_id: bigint; id: bigint; listed: boolean }>`
    (select tenant_id, id, false as listed from ${sql.table('user')} as u where not exists (
      select from user_change as c
      where c.tenant_id = u.tenant_id and c.updated_at = u.updated_at and c.id = u.id) limit ${faultsCountedMax})
    union all
    (select tenant_id, id, true as listed from user_change as c where not exists (
      select from ${sql.table('user')} as u
      where u.tenant_id = c.tenant_id and u.id = c.id and u.updated_at = c.updated_at) limit ${faultsCountedMax})`.execute(
    db,
  );
  return faultsOf(
    rows.map(({ tenant_id, id, listed }) =>
      listed
        ? `user ${id} of tenant ${tenant_id} is listed at a wrong time`
        : `the last change of user ${id} of tenant ${tenant_id} is not listed`,
    ),
  );
}

/**
 * Rebuilds the triggers and the order of changes, in the session's transaction, if anything is wrong with them. Writes
 * wait until it ends. The user must own the tables.
 *
 * @returns whether anything was wrong
 */
export async function repairChangeOrder(session: Session): Promise<boolean> {
  const faults = [await findSilentTriggers(session), await findChangeOrderFaults(session)];
  if (faults.every(({ count }) => count === 0)) return false;
  const { db } = session;
  const user = sql.table('user');
  await sql`lock table ${user} in share row exclusive mode`.execute(db);
  for (const name of triggers) await sql`drop trigger if exists ${sql.ref(name)} on ${user}`.execute(db);
  await sql`drop function if exists note_user_change()`.execute(db);
  await createChangeTriggers(db as Kysely<unknown>);
  await sql`delete from user_change`.execute(db);
  await fillChangeOrder(db);
  return true;
}

/**
 * Switches off the triggers of the order of changes, and no others: an operator may have added some to the users.
 * Returns a function that switches them on.
 */
export async function switchChangeTriggersOff(db: Kysely<Schema>): Promise<() => Promise<void>> {
  const user = sql.table('user');
  const present = (await readTriggers(db)).filter(({ name }) => triggers.includes(name));
  for (const { name } of present) await sql`alter table ${user} disable trigger ${sql.ref(name)}`.execute(db);
  return async () => {
    for (const { name, state } of present) {
      const enable = state === 'A' ? sql`enable always` : sql`enable`;
      await sql`alter table ${user} ${enable} trigger ${sql.ref(name)}`.execute(db);
    }
  };
}

/** Fills the empty order of changes from the users' rows. */
export async function fillChangeOrder(db: Kysely<Schema>): Promise<void> {
  await sql`insert into user_change select tenant_id, updated_at, id from ${sql.table('user')}`.execute(db);
}

/** Returns whether the tables have an order of changes. Those of an earlier release have none. */
export async function isChangeOrderKept(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{
    kept: boolean;
  }>`select to_regclass('user_change') is not null as kept`.execute(db);
  return rows[0]?.kept === true;
}
