import { type RawBuilder, sql } from 'kysely';
import type { BindingTarget, UserFilters } from '../../database.ts';
import type { Session } from '../session.ts';
import { idRows } from './id-rows.ts';
import { oneRowAtATime } from './scan-page.ts';
import { isWithinOrg } from './users-of-orgs.ts';

/**
 * The filters as resolved for reading: an organization becomes its own id and those of the included descendants, unless
 * these are very many.
 */
export interface ReadFilters extends Omit<UserFilters, 'org'> {
  readonly orgIds?: readonly bigint[];
  /** The users of this organization and of all below it. */
  readonly withinOrg?: bigint;
}

/** The filters on bindings; every other one is on the user's own row. */
type BoundFilters = Pick<ReadFilters, 'roleId' | 'orgIds' | 'withinOrg' | 'storeCode'>;

type Condition = RawBuilder<unknown>;

/** Combines the filters into one condition on `scanned.id`; returns `undefined` if there are none. */
export function userFilter(
  session: Pick<Session, 'engine'>,
  tenantId: bigint,
  filters: ReadFilters,
): Condition | undefined {
  const conditions = [
    ...boundConditions(session, tenantId, filters),
    ...ownConditions(session, tenantId, filters),
  ];
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `);
}

function boundConditions(
  { engine }: Pick<Session, 'engine'>,
  tenantId: bigint,
  filters: BoundFilters,
): Condition[] {
  const { roleId, orgIds, withinOrg, storeCode } = filters;
  const conditions: Condition[] = [];
  if (roleId !== undefined) conditions.push(binding('role', tenantId, sql`role_id = ${roleId}`));
  if (storeCode !== undefined) conditions.push(binding('store', tenantId, sql`store_code = ${storeCode}`));
  if (orgIds !== undefined) {
    const listed = sql`org_id in (select id from ${idRows(engine, orgIds)})`;
    conditions.push(binding('org', tenantId, listed));
  }
  if (withinOrg !== undefined) {
    const within = isWithinOrg(sql.ref('binding.org_id'), tenantId, withinOrg);
    conditions.push(binding('org', tenantId, within));
  }
  return conditions;
}

function binding(target: BindingTarget, tenantId: bigint, condition: Condition): Condition {
  return sql`exists (select 1 from ${sql.table(`user_${target}`)} as binding
    where binding.tenant_id = ${tenantId} and binding.user_id = scanned.id and ${condition} ${oneRowAtATime})`;
}

/** Returns the conditions on the user's own row, with its tenant, so no index can yield another tenant's user. */
function ownConditions(
  { engine }: Pick<Session, 'engine'>,
  tenantId: bigint,
  filters: Omit<ReadFilters, keyof BoundFilters>,
): Condition[] {
  const { department, status, updatedSinceMs, search, unbound, ...forgotten } = filters;
  // A filter without a condition would return every user. The compiler names it here.
  forgotten satisfies Readonly<Record<string, never>>;
  const conditions: Condition[] = [];
  if (department !== undefined) conditions.push(sql`one.department = ${department}`);
  if (status !== undefined) conditions.push(sql`one.status = ${status}`);
  // The addition keeps SQL from using the index of changes, which would be read from this time on for each user.
  if (updatedSinceMs !== undefined) conditions.push(sql`one.updated_at + 0 >= ${updatedSinceMs}`);
  if (unbound !== undefined) conditions.push(sql`${sql.ref(`one.without_${unbound}`)} = 1`);
  if (search !== undefined) conditions.push(engine.search.matches('one', search));
  if (conditions.length === 0) return [];
  return [
    sql`exists (select 1 from ${sql.table('user')} as one
      where one.tenant_id = ${tenantId} and one.id = scanned.id and ${sql.join(conditions, sql` and `)} ${oneRowAtATime})`,
  ];
}
