import { sql } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import { type Given, given, type InTenant, int64 } from '../targets/given-rows.ts';
import { changeRows } from '../writes/change-rows.ts';

/** Changes the bindings of many users at once. */

const storeColumns = [
  { name: 'user_id', type: 'int64' },
  { name: 'store_code', type: 'text' },
] as const;

interface StoreOfUser {
  user_id: bigint;
  store_code: string;
}

export const upsertUserRoles = upsertTargetsOfUsers('role');
export const upsertUserOrgs = upsertTargetsOfUsers('org');

/** The two tables differ only in names, so one's types serve for both. */
function upsertTargetsOfUsers(target: 'role' | 'org') {
  const table = `user_${target}` as 'user_role';
  const column = `${target}_id` as 'role_id';
  const columns = [
    { name: 'user_id', type: 'int64' },
    { name: column, type: 'int64' },
  ] as const;
  return compileOnce((db, value: Given, engine) =>
    db
      .insertInto(table)
      .columns(['tenant_id', 'user_id', column])
      .expression((eb) =>
        eb
          .selectFrom(engine.rowTable(value.rows, columns))
          .select([
            int64(value.tenantId).as('tenant_id'),
            given<bigint>('user_id').as('user_id'),
            given<bigint>(column).as(column),
          ])
          // Without a condition, SQLite would take ON for the start of a join.
          .where(sql<boolean>`true`),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'user_id'])
          .doUpdateSet((eb) => ({ [column]: eb.ref(`excluded.${column}`) })),
      ),
  );
}

export const insertStoresOfUsers = changeRows<InTenant, StoreOfUser>(storeColumns, {
  each: (db, { tenantId: tenant_id, user_id, store_code }) =>
    db.insertInto('user_store').values({ tenant_id, user_id, store_code }),
  together: compileOnce((db, value: Given, engine) =>
    db
      .insertInto('user_store')
      .columns(['tenant_id', 'user_id', 'store_code'])
      .expression((eb) =>
        eb
          .selectFrom(engine.rowTable(value.rows, storeColumns))
          .select([
            int64(value.tenantId).as('tenant_id'),
            given<bigint>('user_id').as('user_id'),
            given<string>('store_code').as('store_code'),
          ]),
      ),
  ),
});

export const deleteStoresOfUsers = changeRows<InTenant, StoreOfUser>(storeColumns, {
  each: (db, value) =>
    db
      .deleteFrom('user_store')
      .where('tenant_id', '=', value.tenantId)
      .where('user_id', '=', value.user_id)
      .where('store_code', '=', value.store_code),
  together: compileOnce((db, value: Given, engine) =>
    db
      .deleteFrom('user_store')
      .using(engine.rowTable(value.rows, storeColumns))
      .where(engine.isGivenRow('user_store', sql`${value.tenantId}`, ['user_id', 'store_code'])),
  ),
});
