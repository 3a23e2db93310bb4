import { sql } from 'kysely';
import type { Erasure } from '../../erasures.ts';
import { searchedColumns } from '../lists/search-pattern.ts';
import type { Session } from '../session.ts';
import { changesOfUser } from './changes-of-user.ts';

/**
 * Returns the texts that a user has or had, according to the row and the audit trail. Erased values are not among them.
 *
 * @param columns which texts; without them those by which a person can be searched for
 */
export async function textsOfPerson(
  session: Session,
  user: Pick<Erasure, 'tenantId' | 'userId'>,
  columns: readonly string[] = searchedColumns,
): Promise<string[]> {
  const profiles = await session.db
    .selectFrom('user')
    .select(columns.map((column) => sql.ref<string>(column).as(column)))
    .where('tenant_id', '=', user.tenantId)
    .where('id', '=', user.userId)
    .execute();
  const found = new Set(profiles.flatMap((profile) => Object.values(profile)));
  for await (const { changes } of changesOfUser(session, user)) {
    for (const text of textsIn(JSON.parse(changes), columns)) found.add(text);
  }
  found.delete('');
  return [...found];
}

/** Returns whether anything of a user is left: a row, or an audit row. */
export async function hasTraces(
  { db }: Session,
  { tenantId, userId }: Pick<Erasure, 'tenantId' | 'userId'>,
): Promise<boolean> {
  const ofUser = db
    .selectFrom('user')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .limit(1);
  const inAudit = db
    .selectFrom('audit_event')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .limit(1);
  return (await ofUser.executeTakeFirst()) !== undefined || (await inAudit.executeTakeFirst()) !== undefined;
}

type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown } | string>>;

function textsIn(changes: Changes, columns: readonly string[]): string[] {
  return columns.flatMap((column) => {
    const change = changes[column];
    if (typeof change !== 'object' || change === null) return [];
    return [change.from, change.to].filter((text) => typeof text === 'string');
  });
}
