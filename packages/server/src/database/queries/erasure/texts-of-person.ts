import { sql } from 'kysely';
import type { Erasure } from '../../erasures.ts';
import { searchedColumns } from '../lists/search-pattern.ts';
import type { Session } from '../session.ts';

/** Returns the texts by which a person can be searched for: those of the profile, and the former ones in the audit. */
export async function textsOfPerson(
  { db }: Session,
  { tenantId, userId }: Pick<Erasure, 'tenantId' | 'userId'>,
): Promise<string[]> {
  const profiles = await db
    .selectFrom('user')
    .select(searchedColumns.map((column) => sql.ref<string>(column).as(column)))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .execute();
  const events = await db
    .selectFrom('audit_event')
    .select('changes')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
  const found = [
    ...profiles.flatMap((profile) => Object.values(profile)),
    ...events.flatMap(({ changes }) => textsIn(JSON.parse(changes), searchedColumns)),
  ];
  return [...new Set(found)].filter((text) => text !== '');
}

/** Returns the names that a user has or had, according to the row and the audit trail. Erased values are not among them. */
export async function namesOfUser(
  { db }: Session,
  { tenantId, userId }: Pick<Erasure, 'tenantId' | 'userId'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('user')
    .select('username')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .execute();
  const events = await db
    .selectFrom('audit_event')
    .select('changes')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute();
  const found = [
    ...rows.map(({ username }) => username),
    ...events.flatMap(({ changes }) => textsIn(JSON.parse(changes), ['username'])),
  ];
  return [...new Set(found)];
}

type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown } | string>>;

function textsIn(changes: Changes, columns: readonly string[]): string[] {
  return columns.flatMap((column) => {
    const change = changes[column];
    if (typeof change !== 'object' || change === null) return [];
    return [change.from, change.to].filter((text) => typeof text === 'string');
  });
}
