import { compileOnce } from '../compile-once.ts';
import { idColumns } from '../lists/id-rows.ts';
import { type Given, given } from './given-rows.ts';

export const selectUnknownRoleIds = selectUnknownIdsOf('role');

export const selectUnknownOrgIds = selectUnknownIdsOf('org');

export const selectUnknownUserIds = selectUnknownIdsOf('user');

/** Looks up each id separately; see `selectUnknownStoreCodes`. */
function selectUnknownIdsOf(table: 'role' | 'org' | 'user') {
  return compileOnce((db, value: Given, engine) =>
    db
      .selectFrom(engine.rowTable(value.rows, idColumns))
      .select(given<bigint>('id').as('id'))
      .where((eb) =>
        eb(
          eb
            .selectFrom(table)
            .select('id')
            .where('tenant_id', '=', value.tenantId)
            .where(`${table}.id`, '=', given<bigint>('id')),
          'is',
          null,
        ),
      ),
  );
}

/** Looks up each code separately: for a join, PostgreSQL may read all of the tenant's stores. */
export const selectUnknownStoreCodes = compileOnce(
  (db, value: { tenantId: bigint; codes: unknown }, engine) =>
    db
      .selectFrom(engine.textTable(value.codes))
      .select('listed.code')
      .where((eb) =>
        eb(
          eb
            .selectFrom('store')
            .select('store.code')
            .where('store.tenant_id', '=', value.tenantId)
            .whereRef('store.code', '=', 'listed.code'),
          'is',
          null,
        ),
      ),
);
