import { sql } from 'kysely';
import { pickIds } from '../pick-ids.ts';
import { rowsToJson } from '../rows-json.ts';
import type { RowColumn, Session } from '../session.ts';

const pairColumns: readonly RowColumn[] = [
  { name: 'line', type: 'int64' },
  { name: 'id', type: 'int64' },
];

/** Assigns ids to the staged roles without one. Returns them in line order. */
export async function assignRoleIds(session: Session, tenantId: bigint): Promise<bigint[]> {
  const { db } = session;
  const { rows } = await sql<{
    line: bigint;
  }>`select line from staged_role where id is null order by line`.execute(db);
  if (rows.length === 0) return [];
  const inUse = [sql`role where tenant_id = ${tenantId}`, sql`staged_role where id is not null`];
  const ids = await pickIds(session, inUse, BigInt(rows.length));
  const pairs = rows.map(({ line }, index) => [line, ids[index] as bigint]);
  const given = session.engine.rowTable(rowsToJson(pairs), pairColumns);
  await sql`update staged_role set id = given.id from ${given} where given.line = staged_role.line`.execute(
    db,
  );
  return ids;
}
