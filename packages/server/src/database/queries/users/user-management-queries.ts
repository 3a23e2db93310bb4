import { compileOnce } from '../compile-once.ts';

interface ById extends Record<string, unknown> {
  tenantId: bigint;
  id: bigint;
}

/** The only query that reads a hash. */
export const selectCredentials = compileOnce((db, value: { tenantId: bigint; username: string }) =>
  db
    .selectFrom('user')
    .select(['id', 'status', 'password_hash'])
    .where('tenant_id', '=', value.tenantId)
    .where('username', '=', value.username),
);

export const deleteRolesOfUser = compileOnce((db, value: ById) =>
  db.deleteFrom('user_role').where('tenant_id', '=', value.tenantId).where('user_id', '=', value.id),
);

export const deleteOrgsOfUser = compileOnce((db, value: ById) =>
  db.deleteFrom('user_org').where('tenant_id', '=', value.tenantId).where('user_id', '=', value.id),
);

export const deleteStoresOfUser = compileOnce((db, value: ById) =>
  db.deleteFrom('user_store').where('tenant_id', '=', value.tenantId).where('user_id', '=', value.id),
);

export const deleteUser = compileOnce((db, value: ById) =>
  db.deleteFrom('user').where('tenant_id', '=', value.tenantId).where('id', '=', value.id),
);

export const updateStatus = compileOnce(
  (db, value: ById & { status: 'active' | 'disabled'; nowMs: bigint }) =>
    db
      .updateTable('user')
      .set((eb) => ({ status: value.status, revision: eb('revision', '+', 1n), updated_at: value.nowMs }))
      .where('tenant_id', '=', value.tenantId)
      .where('id', '=', value.id),
);

/** Neither the revision nor the time of the last change moves: no reader sees a difference. */
export const replaceHash = compileOnce((db, value: ById & { from: string; to: string }) =>
  db
    .updateTable('user')
    .set({ password_hash: value.to })
    .where('tenant_id', '=', value.tenantId)
    .where('id', '=', value.id)
    .where('password_hash', '=', value.from)
    .returning('id'),
);
