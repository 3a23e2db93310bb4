import { sql } from 'kysely';
import { compileOnce } from '../compile-once.ts';
import { roleColumns, storeColumns } from '../targets/target-columns.ts';
import { tenantToJoin } from '../tenants/tenant-to-join.ts';

interface OfUser extends Record<string, unknown> {
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

export const selectBoundRole = compileOnce((db, value: OfUser) =>
  db
    .selectFrom('user_role')
    .select('role_id as id')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId),
);

export const upsertUserRole = compileOnce((db, value: OfUser & { roleId: bigint }) =>
  db
    .insertInto('user_role')
    .values({ tenant_id: value.tenantId, user_id: value.userId, role_id: value.roleId })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet((eb) => ({ role_id: eb.ref('excluded.role_id') })),
    ),
);

export const deleteUserRole = compileOnce((db, value: OfUser & { roleId: bigint }) =>
  db
    .deleteFrom('user_role')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('role_id', '=', value.roleId)
    .returning('role_id'),
);

export const selectBoundOrg = compileOnce((db, value: OfUser) =>
  db
    .selectFrom('user_org')
    .select('org_id as id')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId),
);

export const upsertUserOrg = compileOnce((db, value: OfUser & { orgId: bigint }) =>
  db
    .insertInto('user_org')
    .values({ tenant_id: value.tenantId, user_id: value.userId, org_id: value.orgId })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id']).doUpdateSet((eb) => ({ org_id: eb.ref('excluded.org_id') })),
    ),
);

export const deleteUserOrg = compileOnce((db, value: OfUser & { orgId: bigint }) =>
  db
    .deleteFrom('user_org')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('org_id', '=', value.orgId)
    .returning('org_id'),
);

export const selectStoresOfUser = compileOnce((db, value: OfUser) =>
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
    .orderBy('user_store.store_code'),
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

export const insertUserStore = compileOnce((db, value: OfUser & { storeCode: string }) =>
  db
    .insertInto('user_store')
    .values({ tenant_id: value.tenantId, user_id: value.userId, store_code: value.storeCode })
    .onConflict((conflict) => conflict.doNothing())
    .returning('store_code'),
);

export const deleteUserStore = compileOnce((db, value: OfUser & { storeCode: string }) =>
  db
    .deleteFrom('user_store')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('store_code', '=', value.storeCode)
    .returning('store_code'),
);

export const insertUserStores = compileOnce((db, value: OfUser & { codes: unknown }, engine) =>
  db
    .insertInto('user_store')
    .columns(['tenant_id', 'user_id', 'store_code'])
    .expression((eb) =>
      eb
        .selectFrom(engine.codeTable(value.codes))
        .select([
          sql<bigint>`cast(${value.tenantId} as bigint)`.as('tenant_id'),
          sql<bigint>`cast(${value.userId} as bigint)`.as('user_id'),
          'listed.code',
        ]),
    ),
);

export const deleteUserStores = compileOnce((db, value: OfUser & { codes: unknown }, engine) =>
  db
    .deleteFrom('user_store')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where(engine.isListed('store_code', value.codes)),
);

export const deleteRolesOfUser = compileOnce((db, value: OfUser) =>
  db.deleteFrom('user_role').where('tenant_id', '=', value.tenantId).where('user_id', '=', value.userId),
);

export const deleteOrgsOfUser = compileOnce((db, value: OfUser) =>
  db.deleteFrom('user_org').where('tenant_id', '=', value.tenantId).where('user_id', '=', value.userId),
);

export const deleteStoresOfUser = compileOnce((db, value: OfUser) =>
  db.deleteFrom('user_store').where('tenant_id', '=', value.tenantId).where('user_id', '=', value.userId),
);
