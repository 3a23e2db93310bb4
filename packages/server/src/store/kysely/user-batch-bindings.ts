import { sql } from 'kysely';
import { changeRows } from './change-rows.ts';
import { compileOnce } from './compile-once.ts';
import { type Given, given, type InTenant, int64 } from './user-batch-queries.ts';

/** What many users are bound to, changed at once. */

const storeColumns = [
  { name: 'user_id', type: 'int64' },
  { name: 'store_code', type: 'text' },
] as const;

interface StoreOfUser {
  user_id: bigint;
  store_code: string;
}

const roleColumns = [
  { name: 'user_id', type: 'int64' },
  { name: 'role_id', type: 'int64' },
] as const;
const orgColumns = [
  { name: 'user_id', type: 'int64' },
  { name: 'org_id', type: 'int64' },
] as const;

export const upsertUserRoles = compileOnce((db, value: Given, engine) =>
  db
    .insertInto('user_role')
    .columns(['tenant_id', 'user_id', 'role_id'])
    .expression((eb) =>
      eb
        .selectFrom(engine.rowTable(value.rows, roleColumns))
        .select([
          int64(value.tenantId).as('tenant_id'),
          given<bigint>('user_id').as('user_id'),
          given<bigint>('role_id').as('role_id'),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet((eb) => ({ role_id: eb.ref('excluded.role_id') })),
    ),
);

export const upsertUserOrgs = compileOnce((db, value: Given, engine) =>
  db
    .insertInto('user_org')
    .columns(['tenant_id', 'user_id', 'org_id'])
    .expression((eb) =>
      eb
        .selectFrom(engine.rowTable(value.rows, orgColumns))
        .select([
          int64(value.tenantId).as('tenant_id'),
          given<bigint>('user_id').as('user_id'),
          given<bigint>('org_id').as('org_id'),
        ])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id']).doUpdateSet((eb) => ({ org_id: eb.ref('excluded.org_id') })),
    ),
);

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
      .where('tenant_id', '=', value.tenantId)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('user_id', 'store_code'),
          'in',
          selectFrom(engine.rowTable(value.rows, storeColumns))
            .select([given<bigint>('user_id').as('user_id'), given<string>('store_code').as('store_code')])
            .$asTuple('user_id', 'store_code'),
        ),
      ),
  ),
});
