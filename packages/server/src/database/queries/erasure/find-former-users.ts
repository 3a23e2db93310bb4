import { type SqlBool, sql } from 'kysely';
import { includesIfSmall } from '../lists/large-mentions.ts';
import type { Session } from '../session.ts';
import { bytesOfChanges, readChanges } from './changes-of-user.ts';

/** Audit rows per statement, so that none runs into the time-out of statements. */
const rowsAtOnce = 20_000n;

/** Finds every user that ever had the name, from the audit trail. */
export async function findFormerUsers(
  session: Session,
  tenantId: bigint,
  username: string,
): Promise<bigint[]> {
  const { db, engine } = session;
  const { last } = await db
    .selectFrom('audit_event')
    .select(({ fn }) => fn.max<bigint | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  const found: bigint[] = [];
  for (let after = 0n; after < (last ?? 0n); after += rowsAtOnce) {
    const rows = await db
      .selectFrom('audit_event as event')
      .select(['id', 'user_id', bytesOfChanges])
      .where('id', '>', after)
      .where('id', '<=', after + rowsAtOnce)
      // Without the sign, SQLite reads all rows of the tenant in an index, for each of these statements.
      .where(sql<SqlBool>`+event.tenant_id = ${tenantId}`)
      .where('user_id', 'is not', null)
      .where(includesIfSmall(engine, username))
      .execute();
    const userIds = new Map(rows.map(({ id, user_id }) => [id, user_id]));
    for await (const { id, changes } of readChanges(session, rows)) {
      const userId = userIds.get(id);
      if (userId && changesName(changes, username)) found.push(userId);
    }
  }
  return found;
}

/** Returns whether the changes of an audit row are from or to the username. */
function changesName(changes: string, username: string): boolean {
  const parsed = JSON.parse(changes) as {
    readonly username?: { readonly from?: string; readonly to?: string };
  };
  return parsed.username?.from === username || parsed.username?.to === username;
}
