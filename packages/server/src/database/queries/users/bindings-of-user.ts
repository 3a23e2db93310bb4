import { limits } from '@fieldroster/contract';
import { sql } from 'kysely';
import type { BindingTarget } from '../../database.ts';
import { compileOnce, compileUnanswered } from '../compile-once.ts';
import { int64 } from '../targets/given-rows.ts';
import { roleColumns, storeColumns } from '../targets/target-columns.ts';
import { tenantToJoin } from '../tenants/tenant-to-join.ts';

export interface OfUser extends Record<string, unknown> {
  tenantId: bigint;
  userId: bigint;
}

export const selectRoleOfUser = compileOnce((db, value: OfUser) =>
  db
    .selectFrom('user_role')
    .innerJoin('role', (join) =>
      join.onRef('role.tenant_id', '=', 'user_role.tenant_id').onRef('role.id', '=', 'user_role.role_id'),
    )
    .select(roleColumns)
    .where('user_role.tenant_id', '=', value.tenantId)
    .where('user_role.user_id', '=', value.userId),
);

export const selectRoleBinding = selectBindingTo('role');

export const selectOrgBinding = selectBindingTo('org');

/** Returns one row: the target's id if it exists, and the id of the one that the user has. */
function selectBindingTo(target: 'role' | 'org') {
  return compileOnce((db, value: OfUser & { targetId: bigint }) =>
    db.selectNoFrom((eb) => [
      eb
        .selectFrom(target)
        .select('id')
        .where('tenant_id', '=', value.tenantId)
        .where('id', '=', value.targetId)
        .as('found'),
      eb
        .selectFrom(`user_${target}` as const)
        .select(sql.ref<bigint>(`${target}_id`).as('id'))
        .where('tenant_id', '=', value.tenantId)
        .where('user_id', '=', value.userId)
        .as('current'),
    ]),
  );
}

export const upsertUserRole = upsertBindingTo('role');

export const upsertUserOrg = upsertBindingTo('org');

/** The two tables differ only in names, so one's types serve for both. */
function upsertBindingTo(target: 'role' | 'org') {
  const table = `user_${target}` as 'user_role';
  const column = `${target}_id` as 'role_id';
  return compileUnanswered((db, value: OfUser & { targetId: bigint }) =>
    db
      .insertInto(table)
      .values({ tenant_id: value.tenantId, user_id: value.userId, [column]: value.targetId })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'user_id'])
          .doUpdateSet((eb) => ({ [column]: eb.ref(`excluded.${column}`) })),
      ),
  );
}

/** Returns the user's first stores, by code. */
export const selectStoresOfUser = compileOnce((db, value: OfUser & { limit: bigint }) =>
  db
    .selectFrom('user_store')
    .innerJoin('store', (join) =>
      join
        .on('store.tenant_id', '=', tenantToJoin('user_store'))
        .onRef('store.code', '=', 'user_store.store_code'),
    )
    .select(storeColumns)
    .where('user_store.tenant_id', '=', value.tenantId)
    .where('user_store.user_id', '=', value.userId)
    .orderBy('user_store.store_code')
    .limit(sql<bigint>`${value.limit}`),
);

export const selectStoreCodesOfUser = compileOnce((db, value: OfUser & { after: string; limit: bigint }) =>
  db
    .selectFrom('user_store')
    .select('store_code as code')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('store_code', '>', value.after)
    .orderBy('store_code')
    .limit(sql<bigint>`${value.limit}`),
);

/**
 * Returns one row: the code if the store exists, the code if the user is bound to it, and, for a store that can be bound,
 * whether the user has as many stores as allowed. The last part reads that many rows, so it is left out for others.
 */
export const selectStoreBinding = compileOnce((db, value: OfUser & { storeCode: string }) =>
  db
    .selectFrom(
      db
        .selectNoFrom((eb) => [
          eb
            .selectFrom('store')
            .select('code')
            .where('tenant_id', '=', value.tenantId)
            .where('code', '=', value.storeCode)
            .as('found'),
          eb
            .selectFrom('user_store')
            .select('store_code')
            .where('tenant_id', '=', value.tenantId)
            .where('user_id', '=', value.userId)
            .where('store_code', '=', value.storeCode)
            .as('bound'),
        ])
        .as('binding'),
    )
    .select((eb) => [
      'found',
      'bound',
      // Both engines evaluate a branch of `case` only when its condition holds.
      eb
        .case()
        .when(eb.and([eb('found', 'is not', null), eb('bound', 'is', null)]))
        .then(
          eb
            .selectFrom('user_store')
            .select(sql<bigint>`1`.as('one'))
            .where('tenant_id', '=', value.tenantId)
            .where('user_id', '=', value.userId)
            .limit(1)
            .offset(limits.storeCodesMax - 1),
        )
        .end()
        .as('last_allowed'),
    ]),
);

export const insertUserStore = compileUnanswered((db, value: OfUser & { storeCode: string }) =>
  db
    .insertInto('user_store')
    .values({ tenant_id: value.tenantId, user_id: value.userId, store_code: value.storeCode }),
);

export const deleteUserStore = compileUnanswered((db, value: OfUser & { storeCode: string }) =>
  db
    .deleteFrom('user_store')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('store_code', '=', value.storeCode),
);

export const insertUserStores = compileOnce((db, value: OfUser & { codes: unknown }, engine) =>
  db
    .insertInto('user_store')
    .columns(['tenant_id', 'user_id', 'store_code'])
    .expression((eb) =>
      eb
        .selectFrom(engine.textTable(value.codes))
        .select([int64(value.tenantId).as('tenant_id'), int64(value.userId).as('user_id'), 'listed.code']),
    ),
);

export const deleteUserStores = compileOnce((db, value: OfUser & { codes: unknown }, engine) =>
  db
    .deleteFrom('user_store')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where(engine.isListed('store_code', value.codes)),
);

export const deleteRoleOfUser = deleteBindingsTo('role');

export const deleteOrgOfUser = deleteBindingsTo('org');

export const deleteStoresOfUser = deleteBindingsTo('store');

function deleteBindingsTo(target: BindingTarget) {
  return compileUnanswered((db, value: OfUser) =>
    db
      .deleteFrom(`user_${target}` as const)
      .where('tenant_id', '=', value.tenantId)
      .where('user_id', '=', value.userId),
  );
}
