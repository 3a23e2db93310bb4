import { type RawBuilder, sql } from 'kysely';
import { toNewUserColumns } from '../queries/records.ts';
import type { Subject } from './subject.ts';

/** Inserts users directly into the tables, all but the last bound to a role; returns the last one's id. */
export async function plantUsers(
  { under: { db } }: Subject,
  tenant_id: bigint,
  first: bigint,
  count: number,
): Promise<bigint> {
  const last = first + BigInt(count - 1);
  const own = {
    tenant_id,
    id: first,
    username: `p${first}`,
    real_name: 'planted',
    status: 'active' as const,
  };
  const bound = { without_role: 0n, without_org: 1n, without_store: 1n };
  const planted = { ...toNewUserColumns({}), ...own, ...bound, revision: 1n, created_at: 0n, updated_at: 0n };
  await db.insertInto('user').values(planted).execute();
  const columns = Object.keys(planted).map((name) => sql.ref(name));
  const next: Readonly<Record<string, RawBuilder<unknown>>> = {
    id: sql`id + step`,
    username: sql`'p' || (id + step)`,
  };
  const values = Object.keys(planted).map((name) => next[name] ?? sql.ref(name));
  // Ids must ascend: before a smaller one, the search index of SQLite writes out everything that it has gathered.
  await sql`with recursive steps(step) as (
      select 1 where 1 < ${BigInt(count)} union all select step + 1 from steps where step + 1 < ${BigInt(count)})
    insert into "user" (${sql.join(columns)}) select ${sql.join(values)} from "user", steps
      where tenant_id = ${tenant_id} and id = ${first} order by step`.execute(db);
  await sql`insert into user_role (tenant_id, user_id, role_id)
    select tenant_id, id, 1 from "user"
      where tenant_id = ${tenant_id} and id >= ${first} and id < ${last}`.execute(db);
  const unbound = { real_name: 'the last planted', without_role: 1n, updated_at: 1n };
  await db.updateTable('user').set(unbound).where('id', '=', last).execute();
  return last;
}
