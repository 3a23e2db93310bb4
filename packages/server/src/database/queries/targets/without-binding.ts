import { type RawBuilder, sql } from 'kysely';

/** What users are bound to. */
export type BindingTarget = 'role' | 'org' | 'store';

/**
 * Tells for a row of `user` whether it is bound to nothing of the kind: 1 if so, else 0. It is kept in the
 * column `without_<target>`, since no index can hold what is missing from another table.
 *
 * @param but a condition on bindings that are about to be removed
 */
export function withoutBinding(target: BindingTarget, but = sql`false`): RawBuilder<bigint> {
  return sql`case when exists (
    select 1 from ${sql.table(`user_${target}`)} as binding
    where binding.tenant_id = ${sql.ref('user.tenant_id')} and binding.user_id = ${sql.ref('user.id')} and not (${but})
  ) then 0 else 1 end`;
}

/** Columns of `user`. */
export type WithoutColumn = `without_${BindingTarget}`;

/** The columns of a user as its bindings are now. */
export function withoutBindings(): Record<WithoutColumn, RawBuilder<bigint>> {
  return {
    without_role: withoutBinding('role'),
    without_org: withoutBinding('org'),
    without_store: withoutBinding('store'),
  };
}
