import { type RawBuilder, sql } from 'kysely';
import type { Session } from './session.ts';

const int64Max = 2n ** 63n - 1n;

/**
 * Picks new ids above every id in use, or the smallest free ones when no higher ones are left.
 *
 * @param sources where the column `id` has ids in use, as what follows `from`
 */
export async function pickIds(
  session: Session,
  sources: readonly RawBuilder<unknown>[],
  wanted: bigint,
): Promise<bigint[]> {
  // Each maximum is one look-up in an index; over a union of all ids, it would read every row.
  const tops = sources.map((source) => sql`select max(id) as id from ${source}`);
  const { rows } = await sql<{
    top: bigint | null;
  }>`select max(id) as top from (${sql.join(tops, sql` union all `)}) as tops`.execute(session.db);
  const highest = rows[0]?.top ?? 0n;
  const top = highest > 0n ? highest : 0n;
  if (top <= int64Max - wanted) return idsBetween(top, top + wanted + 1n, wanted);
  const all = sources.map((source) => sql`select id from ${source}`);
  const fromZero = [sql`select 0 as id`, ...all];
  return smallestFreeIds(session, sql.join(fromZero, sql` union `), wanted);
}

/** @param idsInUse a query with one column `id`; it also yields 0, the lower end of the range */
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
