import { sql } from 'kysely';
import type { StoreRangeCounts, UserRangeCounts } from '../../database.ts';
import type { Session } from '../session.ts';

/** Keeps one statement to a few milliseconds, during which the embedded engine answers nobody else. */
const entriesAtOnce = 5_000;

/** Counts the next users of a tenant in the order of their ids, and their bindings. */
export async function countUsers({ db }: Session, tenantId: bigint, after: bigint): Promise<UserRangeCounts> {
  const found = await sql<{ users: bigint; last: bigint | null }>`
    select count(*) as users, max(id) as last from (
      select id from "user" where tenant_id = ${tenantId} and id > ${after}
      order by id limit ${entriesAtOnce}) as part`.execute(db);
  const { users = 0n, last = null } = found.rows[0] ?? {};
  if (last === null) return { users: 0, bindings: 0 };
  const ofUsers = sql`tenant_id = ${tenantId} and user_id > ${after} and user_id <= ${last}`;
  const bound = await sql<{ bindings: bigint }>`
    select (select count(*) from user_role where ${ofUsers}) + (select count(*) from user_org where ${ofUsers})
      + (select count(*) from user_store where ${ofUsers}) as bindings`.execute(db);
  return {
    users: Number(users),
    bindings: Number(bound.rows[0]?.bindings ?? 0n),
    ...(users === BigInt(entriesAtOnce) && { next: last }),
  };
}

/** Counts the next stores of a tenant in the order of their codes. */
export async function countStores(
  { db }: Session,
  tenantId: bigint,
  after: string,
): Promise<StoreRangeCounts> {
  const { rows } = await sql<{ stores: bigint; last: string | null }>`
    select count(*) as stores, max(code) as last from (
      select code from store where tenant_id = ${tenantId} and code > ${after}
      order by code limit ${entriesAtOnce}) as part`.execute(db);
  const { stores = 0n, last = null } = rows[0] ?? {};
  return {
    stores: Number(stores),
    ...(last !== null && stores === BigInt(entriesAtOnce) && { next: last }),
  };
}
