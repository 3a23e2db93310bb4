import { type RawBuilder, sql } from 'kysely';
import type { Session } from './session.ts';

const int64Max = 2n ** 63n - 1n;

/**
 * Picks new ids above every id in use, or the smallest free ones when no higher ones are left.
 *
 * @param idsInUse a query with one column `id`; it also yields 0, the lower end of the range
 */
export async function pickIds(
  session: Session,
  idsInUse: RawBuilder<unknown>,
  wanted: bigint,
): Promise<bigint[]> {
  const { rows } = await sql<{
    top: bigint;
  }>`select max(id) as top from (${idsInUse}) as used`.execute(session.db);
  const top = rows[0]?.top ?? 0n;
  if (top <= int64Max - wanted) return idsBetween(top, top + wanted + 1n, wanted);
  return smallestFreeIds(session, idsInUse, wanted);
}

async function smallestFreeIds(
  { db }: Session,
  idsInUse: RawBuilder<unknown>,
  wanted: bigint,
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint; next: bigint | null }>`
    select id, next from (select id, lead(id) over (order by id) as next from (${idsInUse}) as used) as gap
    where next is null or next - id > 1 order by id limit ${wanted}`.execute(db);
  const ids: bigint[] = [];
  for (const { id, next } of rows) ids.push(...idsBetween(id, next ?? int64Max, wanted - BigInt(ids.length)));
  return ids;
}

/** Returns the first ids between two ids in use. */
function idsBetween(below: bigint, above: bigint, wanted: bigint): bigint[] {
  const ids: bigint[] = [];
  for (let id = below + 1n; id < above && BigInt(ids.length) < wanted; id++) ids.push(id);
  return ids;
}
