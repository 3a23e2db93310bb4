import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { BindingTarget, UserStatus } from '../../database.ts';
import { userFieldList } from '../../user-columns.ts';
import { compileOnce, compileUnanswered } from '../compile-once.ts';
import type { Schema, UserProfileRow } from '../schema.ts';
import { orgColumns, roleColumns } from '../targets/target-columns.ts';
import { type WithoutColumn, withoutBinding } from '../targets/without-binding.ts';

/** The columns of a `UserRecord`. */
const selectedUserColumns = [
  ...(['user.id', 'user.username', 'user.status', 'user.revision'] as const),
  ...userFieldList.map(({ column }) => `user.${column}` as const),
];

/** The columns of a `UserToChange`. */
export const userToChangeColumns = [
  ...selectedUserColumns,
  sql<boolean | bigint>`${sql.ref('user.password_hash')} is not null`.as('has_password'),
] as const;

export interface ById extends Record<string, unknown> {
  tenantId: bigint;
  id: bigint;
}

export interface ByUsername extends Record<string, unknown> {
  tenantId: bigint;
  username: string;
}

/**
 * Selects the columns that `toUserWithBindings` reads.
 *
 * @param tenantId the user's tenant, as the bindings are joined by it; see `tenantToJoin` for many users
 */
export function selectUserWithBindings(
  db: Kysely<Schema>,
  tenantId: RawBuilder<bigint> = sql.ref('user.tenant_id'),
) {
  return db
    .selectFrom('user')
    .leftJoin('user_role', (join) =>
      join.on('user_role.tenant_id', '=', tenantId).onRef('user_role.user_id', '=', 'user.id'),
    )
    .leftJoin('role', (join) =>
      join.onRef('role.tenant_id', '=', 'user_role.tenant_id').onRef('role.id', '=', 'user_role.role_id'),
    )
    .leftJoin('user_org', (join) =>
      join.on('user_org.tenant_id', '=', tenantId).onRef('user_org.user_id', '=', 'user.id'),
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

/** The two ways to find a user. An engine may have its own, with the same results. */
export interface UserLookUps {
  readonly findUserById: typeof findUserById;
  readonly findUserByUsername: typeof findUserByUsername;
}

export const selectUserId = compileOnce((db, value: ById) =>
  db.selectFrom('user').select('id').where('tenant_id', '=', value.tenantId).where('id', '=', value.id),
);

export const lockUserById = compileOnce((db, value: ById, engine) =>
  engine.lockRows(
    db
      .selectFrom('user')
      .select(userToChangeColumns)
      .where('user.tenant_id', '=', value.tenantId)
      .where('user.id', '=', value.id),
  ),
);

export const lockUserByUsername = compileOnce((db, value: ByUsername, engine) =>
  engine.lockRows(
    db
      .selectFrom('user')
      .select(userToChangeColumns)
      .where('user.tenant_id', '=', value.tenantId)
      .where('user.username', '=', value.username),
  ),
);

type ColumnSetByInsert = 'id' | 'status' | 'revision' | WithoutColumn;

/** `id` is `undefined` on an engine whose insert takes it. */
type InsertedUser = Omit<Schema['user'], ColumnSetByInsert> & { id: bigint | undefined };

export const insertUser = compileOnce((db, value: InsertedUser, engine) =>
  db
    .insertInto('user')
    .values({
      tenant_id: value.tenant_id,
      id: engine.insertedUserId(value.id),
      username: value.username,
      ...profileOf(value),
      password_hash: value.password_hash,
      status: 'active',
      without_role: 1n,
      without_org: 1n,
      without_store: 1n,
      revision: 1n,
      created_at: value.created_at,
      updated_at: value.updated_at,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'username']).doNothing())
    .returning('id'),
);

/** Names each column, because the placeholders of `value` cannot be enumerated. */
function profileOf(value: UserProfileRow): UserProfileRow {
  const columns = userFieldList.map(({ column }) => [column, value[column]]);
  return Object.fromEntries(columns) as UserProfileRow;
}

export const updateStatus = compileUnanswered((db, value: ById & { status: UserStatus; nowMs: bigint }) =>
  db
    .updateTable('user')
    .set((eb) => ({ status: value.status, revision: eb('revision', '+', 1n), updated_at: value.nowMs }))
    .where('tenant_id', '=', value.tenantId)
    .where('id', '=', value.id),
);

/** Records that a binding of this kind changed, which counts as a change of the user. */
export const touchUser = {
  role: touchUserOf('role'),
  org: touchUserOf('org'),
  store: touchUserOf('store'),
} as const;

function touchUserOf(target: BindingTarget) {
  return compileUnanswered((db, value: ById & { nowMs: bigint }) =>
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

export const deleteUser = compileUnanswered((db, value: ById) =>
  db.deleteFrom('user').where('tenant_id', '=', value.tenantId).where('id', '=', value.id),
);
