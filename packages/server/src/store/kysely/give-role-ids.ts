import { sql } from 'kysely';
import { stringifyExactJson } from '../../exact-json.ts';
import type { RowColumn, Session } from './session.ts';

const int64Max = 2n ** 63n - 1n;

const pairColumns: readonly RowColumn[] = [
  { name: 'line', type: 'int64' },
  { name: 'id', type: 'int64' },
];

/**
 * Gives the staged roles without an id one: above every id in use, or the smallest free ones when the range
 * above has none left. Returns them in the order of the lines.
 */
export async function giveRoleIds(session: Session, tenantId: bigint): Promise<bigint[]> {
  const { db } = session;
  const { rows } = await sql<{
    line: bigint;
  }>`select line from staged_role where id is null order by line`.execute(db);
  if (rows.length === 0) return [];
  const ids = await pickIds(session, tenantId, BigInt(rows.length));
  const pairs = rows.map(({ line }, index) => [line, ids[index]]);
  const given = session.engine.rowTable(stringifyExactJson(pairs), pairColumns);
  await sql`update staged_role set id = given.id from ${given} where given.line = staged_role.line`.execute(
    db,
  );
  return ids;
}

async function pickIds(session: Session, tenantId: bigint, wanted: bigint): Promise<bigint[]> {
  const { rows } = await sql<{
    top: bigint;
  }>`select max(id) as top from (${idsInUse(tenantId)}) as used`.execute(session.db);
  const top = rows[0]?.top ?? 0n;
  if (top <= int64Max - wanted) return idsBetween(top, top + wanted + 1n, wanted);
  return smallestFreeIds(session, tenantId, wanted);
}

async function smallestFreeIds({ db }: Session, tenantId: bigint, wanted: bigint): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint; next: bigint | null }>`
    select id, next from (select id, lead(id) over (order by id) as next from (${idsInUse(tenantId)}) as used) as gap
    where next is null or next - id > 1 order by id limit ${wanted}`.execute(db);
  const ids: bigint[] = [];
  for (const { id, next } of rows) ids.push(...idsBetween(id, next ?? int64Max, wanted - BigInt(ids.length)));
  return ids;
}

/** With 0, the lower end of the range. */
function idsInUse(tenantId: bigint) {
  return sql`select 0 as id union select id from role where tenant_id = ${tenantId}
    union select id from staged_role where id is not null`;
}

/** The first ids between two that are in use. */
function idsBetween(below: bigint, above: bigint, wanted: bigint): bigint[] {
  const ids: bigint[] = [];
  for (let id = below + 1n; id < above && BigInt(ids.length) < wanted; id++) ids.push(id);
  return ids;
}
