import { sql } from 'kysely';
import { slicesOf } from '../../../slices/slices-of.ts';
import { TimeSlice } from '../../../slices/time-slice.ts';
import { idRows } from '../lists/id-rows.ts';
import type { Transaction } from './target-writer.ts';

/**
 * Returns an organization and those above it, from the bottom up, at most `most` of them. The limit ends the walk even
 * in a broken tree. An organization that does not exist has an empty list.
 */
export async function listPath(
  { session, tenantId }: Transaction,
  id: bigint,
  most: number,
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    with recursive above (id, parent_id, level) as (
      select id, parent_id, 1 from org where tenant_id = ${tenantId} and id = ${id}
      union all
      select org.id, org.parent_id, above.level + 1
      from above join org on org.tenant_id = ${tenantId} and org.id = above.parent_id
      where above.level < ${most}
    )
    select id from above order by level`.execute(session.db);
  return rows.map((row) => row.id);
}

const parentsAtOnce = { countMax: 1000, weightMax: 1000, weightOf: () => 1 };

/**
 * Counts the levels of an organization and everything below it, at most `most`. Reads a thousand parents at a time, so
 * that reads are served in between. In a broken tree, the walk down can only come back to where it began.
 */
export async function countLevels(transaction: Transaction, id: bigint, most: number): Promise<number> {
  const timeSlice = new TimeSlice();
  let levels = 0;
  for (let level = [id]; level.length > 0 && levels < most; levels += 1) {
    const next: bigint[] = [];
    for (const parents of slicesOf(level, parentsAtOnce)) {
      for (const child of await listChildren(transaction, parents)) if (child !== id) next.push(child);
      if (timeSlice.isOver()) await timeSlice.next();
    }
    level = next;
  }
  return levels;
}

async function listChildren(
  { session, tenantId }: Transaction,
  parents: readonly bigint[],
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select org.id from ${idRows(session.engine, parents)} cross join org
    where org.tenant_id = ${tenantId} and org.parent_id = given.id`.execute(session.db);
  return rows.map((row) => row.id);
}
