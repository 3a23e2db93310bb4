import { sql } from 'kysely';
import type { UserName } from '../../database.ts';
import { compileOnce } from '../compile-once.ts';
import type { Session } from '../session.ts';
import { encodeIds, idColumns } from './id-rows.ts';

/** Returns the names of those users of the tenant that exist, by id, in one statement. */
export async function nameUsers(
  session: Session,
  tenantId: bigint,
  ids: readonly bigint[],
): Promise<Map<bigint, UserName>> {
  if (ids.length === 0) return new Map();
  const rows = await selectUserNames(session, { tenantId, ids: encodeIds(ids) });
  return new Map(rows.map(({ id, username, real_name }) => [id, { username, realName: real_name }]));
}

/** Joins from the ids to the users; the other way round, SQLite would read every user of the tenant. */
const selectUserNames = compileOnce((db, value: { tenantId: bigint; ids: string }, engine) =>
  db
    .selectFrom(engine.rowTable(value.ids, idColumns))
    .crossJoin('user')
    .select(['user.id', 'user.username', 'user.real_name'])
    .whereRef('user.id', '=', sql.ref('given.id'))
    .where('user.tenant_id', '=', value.tenantId),
);
