import { sql } from 'kysely';
import { userFieldList } from '../../user-columns.ts';
import { compileOnce } from '../compile-once.ts';
import { type BindingTarget, withoutBinding } from '../targets/without-binding.ts';

/** What a `UserRecord` is made of. */
export const selectedUserColumns = [
  ...(['user.id', 'user.username', 'user.status', 'user.revision'] as const),
  ...userFieldList.map(({ column }) => `user.${column}` as const),
];

const roleColumns = [
  'role.id as role_id',
  'role.name as role_name',
  'role.system_id as role_system_id',
  'role.position as role_position',
  'role.description as role_description',
  'role.code as role_code',
] as const;

const orgColumns = ['org.id as org_id', 'org.name as org_name', 'org.parent_id as org_parent_id'] as const;

export interface ById extends Record<string, unknown> {
  tenantId: bigint;
  id: bigint;
}

export interface ByUsername extends Record<string, unknown> {
  tenantId: bigint;
  username: string;
}

type Builder = Parameters<Parameters<typeof compileOnce>[0]>[0];

export function selectUserWithBindings(db: Builder) {
  return db
    .selectFrom('user')
    .leftJoin('user_role', (join) =>
      join.onRef('user_role.tenant_id', '=', 'user.tenant_id').onRef('user_role.user_id', '=', 'user.id'),
    )
    .leftJoin('role', (join) =>
      join.onRef('role.tenant_id', '=', 'user_role.tenant_id').onRef('role.id', '=', 'user_role.role_id'),
    )
    .leftJoin('user_org', (join) =>
      join.onRef('user_org.tenant_id', '=', 'user.tenant_id').onRef('user_org.user_id', '=', 'user.id'),
    )
    .leftJoin('org', (join) =>
      join.onRef('org.tenant_id', '=', 'user_org.tenant_id').onRef('org.id', '=', 'user_org.org_id'),
    )
    .select([...selectedUserColumns, ...roleColumns, ...orgColumns]);
}

export const findUserById = compileOnce((db, value: ById) =>
  selectUserWithBindings(db).where('user.tenant_id', '=', value.tenantId).where('user.id', '=', value.id),
);

export const findUserByUsername = compileOnce((db, value: ByUsername) =>
  selectUserWithBindings(db)
    .where('user.tenant_id', '=', value.tenantId)
    .where('user.username', '=', value.username),
);

/** The two ways to find a user. An engine may have its own, which answer the same. */
export interface UserLookUps {
  readonly findUserById: typeof findUserById;
  readonly findUserByUsername: typeof findUserByUsername;
}

export const lockUserById = compileOnce((db, value: ById, engine) =>
  engine.lockRows(
    db
      .selectFrom('user')
      .select(selectedUserColumns)
      .where('user.tenant_id', '=', value.tenantId)
      .where('user.id', '=', value.id),
  ),
);

export const lockUserByUsername = compileOnce((db, value: ByUsername, engine) =>
  engine.lockRows(
    db
      .selectFrom('user')
      .select(selectedUserColumns)
      .where('user.tenant_id', '=', value.tenantId)
      .where('user.username', '=', value.username),
  ),
);

/** Notes that a binding of this kind has changed, which is a change of the user. */
export const touchUser = {
  role: touchUserOf('role'),
  org: touchUserOf('org'),
  store: touchUserOf('store'),
} as const;

function touchUserOf(target: BindingTarget) {
  return compileOnce((db, value: ById & { nowMs: bigint }) =>
    db
      .updateTable('user')
      .set((eb) => ({
        [`without_${target}`]: withoutBinding(target),
        revision: eb('revision', '+', 1n),
        updated_at: value.nowMs,
      }))
      .where('tenant_id', '=', value.tenantId)
      .where('id', '=', value.id),
  );
}

export const selectUserId = compileOnce((db, value: ById) =>
  db.selectFrom('user').select('id').where('tenant_id', '=', value.tenantId).where('id', '=', value.id),
);

export const selectRoleOfUser = compileOnce((db, value: { tenantId: bigint; userId: bigint }) =>
  db
    .selectFrom('user_role')
    .innerJoin('role', (join) =>
      join.onRef('role.tenant_id', '=', 'user_role.tenant_id').onRef('role.id', '=', 'user_role.role_id'),
    )
    .select(roleColumns)
    .where('user_role.tenant_id', '=', value.tenantId)
    .where('user_role.user_id', '=', value.userId),
);

export const selectStoresOfUser = compileOnce((db, value: { tenantId: bigint; userId: bigint }) =>
  db
    .selectFrom('user_store')
    .innerJoin('store', (join) =>
      join
        .onRef('store.tenant_id', '=', 'user_store.tenant_id')
        .onRef('store.code', '=', 'user_store.store_code'),
    )
    .select(['store.code', 'store.name', 'store.address'])
    .where('user_store.tenant_id', '=', value.tenantId)
    .where('user_store.user_id', '=', value.userId)
    .orderBy('user_store.store_code'),
);

export const selectRoleId = compileOnce((db, value: ById) =>
  db.selectFrom('role').select('id').where('tenant_id', '=', value.tenantId).where('id', '=', value.id),
);

export const selectOrgId = compileOnce((db, value: ById) =>
  db.selectFrom('org').select('id').where('tenant_id', '=', value.tenantId).where('id', '=', value.id),
);

export const selectBoundRole = compileOnce((db, value: { tenantId: bigint; userId: bigint }) =>
  db
    .selectFrom('user_role')
    .select('role_id as id')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId),
);

export const upsertUserRole = compileOnce((db, value: { tenantId: bigint; userId: bigint; roleId: bigint }) =>
  db
    .insertInto('user_role')
    .values({ tenant_id: value.tenantId, user_id: value.userId, role_id: value.roleId })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id'])
        .doUpdateSet((eb) => ({ role_id: eb.ref('excluded.role_id') })),
    ),
);

export const deleteUserRole = compileOnce((db, value: { tenantId: bigint; userId: bigint; roleId: bigint }) =>
  db
    .deleteFrom('user_role')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('role_id', '=', value.roleId)
    .returning('role_id'),
);

export const selectBoundOrg = compileOnce((db, value: { tenantId: bigint; userId: bigint }) =>
  db
    .selectFrom('user_org')
    .select('org_id as id')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId),
);

export const upsertUserOrg = compileOnce((db, value: { tenantId: bigint; userId: bigint; orgId: bigint }) =>
  db
    .insertInto('user_org')
    .values({ tenant_id: value.tenantId, user_id: value.userId, org_id: value.orgId })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id']).doUpdateSet((eb) => ({ org_id: eb.ref('excluded.org_id') })),
    ),
);

export const deleteUserOrg = compileOnce((db, value: { tenantId: bigint; userId: bigint; orgId: bigint }) =>
  db
    .deleteFrom('user_org')
    .where('tenant_id', '=', value.tenantId)
    .where('user_id', '=', value.userId)
    .where('org_id', '=', value.orgId)
    .returning('org_id'),
);

export const insertUserStore = compileOnce(
  (db, value: { tenantId: bigint; userId: bigint; storeCode: string }) =>
    db
      .insertInto('user_store')
      .values({ tenant_id: value.tenantId, user_id: value.userId, store_code: value.storeCode })
      .onConflict((conflict) => conflict.doNothing())
      .returning('store_code'),
);

export const deleteUserStore = compileOnce(
  (db, value: { tenantId: bigint; userId: bigint; storeCode: string }) =>
    db
      .deleteFrom('user_store')
      .where('tenant_id', '=', value.tenantId)
      .where('user_id', '=', value.userId)
      .where('store_code', '=', value.storeCode)
      .returning('store_code'),
);

/** Each code is looked up by itself: for a join, PostgreSQL may read all the stores of the tenant. */
export const selectUnknownCodes = compileOnce((db, value: { tenantId: bigint; codes: unknown }, engine) =>
  db
    .selectFrom(engine.codeTable(value.codes))
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

export const selectStoreCodesOfUser = compileOnce(
  (db, value: { tenantId: bigint; userId: bigint; after: string; limit: bigint }) =>
    db
      .selectFrom('user_store')
      .select('store_code as code')
      .where('tenant_id', '=', value.tenantId)
      .where('user_id', '=', value.userId)
      .where('store_code', '>', value.after)
      .orderBy('store_code')
      .limit(sql<bigint>`${value.limit}`),
);

export const insertUserStores = compileOnce(
  (db, value: { tenantId: bigint; userId: bigint; codes: unknown }, engine) =>
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

export const deleteUserStores = compileOnce(
  (db, value: { tenantId: bigint; userId: bigint; codes: unknown }, engine) =>
    db
      .deleteFrom('user_store')
      .where('tenant_id', '=', value.tenantId)
      .where('user_id', '=', value.userId)
      .where(engine.isListed('store_code', value.codes)),
);
