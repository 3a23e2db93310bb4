import { type RawBuilder, sql } from 'kysely';
import type { BindingTarget } from '../../database.ts';

/**
 * Returns 1 if a row of `user` has no binding of this kind, else 0. The value is stored in the column
 * `without_<target>`, because no index can cover rows missing from another table.
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

/** Returns the columns according to the user's current bindings. */
export function withoutBindings(): Record<WithoutColumn, RawBuilder<bigint>> {
  return {
    without_role: withoutBinding('role'),
    without_org: withoutBinding('org'),
    without_store: withoutBinding('store'),
  };
}
