import { sql } from 'kysely';
import type { Session } from '../session.ts';
import { idRows } from './id-rows.ts';

/** Counts the stores of each user in one statement, up to one more than `most`. */
export async function countStoresOf(
  { db, engine }: Session,
  tenantId: bigint,
  userIds: readonly bigint[],
  most: number,
): Promise<ReadonlyMap<bigint, number>> {
  if (userIds.length === 0) return new Map();
  // Counted user by user through the primary key; the limit bounds what a user with very many stores costs.
  const ofUser = sql`select 1 from user_store
    where tenant_id = ${tenantId} and user_id = given.id limit ${most + 1}`;
  const { rows } = await sql<{ id: bigint; stores: bigint }>`
    select given.id as id, (select count(*) from (${ofUser}) as bound) as stores
    from ${idRows(engine, userIds)}`.execute(db);
  return new Map(rows.flatMap(({ id, stores }) => (stores === 0n ? [] : [[id, Number(stores)] as const])));
}
