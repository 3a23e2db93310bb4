import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../queries/session.ts';

/**
 * Moves the order of changes on PostgreSQL from an index of `user` to a table of its own, kept by triggers. Every write
 * changes that order. As long as no index of `user` contains it, PostgreSQL can put the new version of a user's row
 * into the same page and leave all indexes alone (decision 025).
 */
export async function userChange(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  if (engine === 'sqlite') return;
  // Waits for writes that have locked users. With the weaker lock of a new trigger they would wait for the migration
  // when they update those users, and it for them when it drops the index; with enough users, the migration would lose.
  await sql`lock table ${sql.table('user')} in exclusive mode`.execute(db);
  await sql`create table user_change (
    tenant_id bigint not null,
    updated_at bigint not null,
    id bigint not null,
    constraint user_change_pk primary key (tenant_id, updated_at, id)
  )`.execute(db);
  // Without statistics, PostgreSQL assumes that every tenant is large; see the first migration.
  await sql`alter table user_change alter column tenant_id set statistics 0`.execute(db);
  await sql`alter table ${sql.table('user')} set (fillfactor = 90)`.execute(db);
  await createChangeTriggers(db);
  await sql`insert into user_change select tenant_id, updated_at, id from ${sql.table('user')} order by 1, 2, 3`.execute(
    db,
  );
  await sql`drop index user_by_change`.execute(db);
}

/** Makes the triggers that keep the order; a repair makes them again. */
export async function createChangeTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`create function note_user_change() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then
      update user_change set updated_at = new.updated_at
        where tenant_id = old.tenant_id and updated_at = old.updated_at and id = old.id;
      if found then return null; end if;
    end if;
    if tg_op = 'DELETE' then
      delete from user_change where tenant_id = old.tenant_id and updated_at = old.updated_at and id = old.id;
    else
      insert into user_change values (new.tenant_id, new.updated_at, new.id);
    end if;
    return null;
  end $$`.execute(db);
  await sql`create trigger user_change after insert or delete on ${sql.table('user')}
    for each row execute function note_user_change()`.execute(db);
  await sql`create trigger user_change_moved after update of updated_at on ${sql.table('user')}
    for each row when (old.updated_at <> new.updated_at) execute function note_user_change()`.execute(db);
}
