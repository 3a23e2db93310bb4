import { compileOnce } from '../compile-once.ts';
import type { ById } from './one-user.ts';

/** The only query that reads a hash. */
export const selectCredentials = compileOnce((db, value: { tenantId: bigint; username: string }) =>
  db
    .selectFrom('user')
    .select(['id', 'status', 'password_hash'])
    .where('tenant_id', '=', value.tenantId)
    .where('username', '=', value.username),
);

/** Leaves the revision and the time of the last change alone, because no reader sees a difference. */
export const replaceHash = compileOnce((db, value: ById & { from: string; to: string }) =>
  db
    .updateTable('user')
    .set({ password_hash: value.to })
    .where('tenant_id', '=', value.tenantId)
    .where('id', '=', value.id)
    .where('password_hash', '=', value.from)
    .returning('id'),
);
