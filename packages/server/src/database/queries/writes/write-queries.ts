import { sql } from 'kysely';
import { userFieldList } from '../../user-columns.ts';
import { compileOnce } from '../compile-once.ts';
import type { Schema, UserProfileRow } from '../schema.ts';
import type { WithoutColumn } from '../targets/without-binding.ts';

type Row<Table extends keyof Schema> = { [Column in keyof Schema[Table]]: Schema[Table][Column] };

type ColumnSetByInsert = 'status' | 'revision' | WithoutColumn;

export const insertUser = compileOnce((db, value: Omit<Row<'user'>, ColumnSetByInsert>) =>
  db
    .insertInto('user')
    .values({
      tenant_id: value.tenant_id,
      id: value.id,
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

/** Names each column: the values stand for those to come, and cannot be listed. */
function profileOf(value: UserProfileRow): UserProfileRow {
  const columns = userFieldList.map(({ column }) => [column, value[column]]);
  return Object.fromEntries(columns) as UserProfileRow;
}

export const insertAuditEvent = compileOnce((db, value: Omit<Row<'audit_event'>, 'id'>) =>
  db.insertInto('audit_event').values({
    tenant_id: value.tenant_id,
    at: value.at,
    app_id: value.app_id,
    request_id: value.request_id,
    operation: value.operation,
    user_id: value.user_id,
    changes: value.changes,
  }),
);

const auditColumns = [
  { name: 'app_id', type: 'text' },
  { name: 'request_id', type: 'text' },
  { name: 'operation', type: 'text' },
  { name: 'user_id', type: 'int64' },
  { name: 'changes', type: 'text' },
] as const;

/** The rows travel as one JSON text; see the engine's `rowTable`. */
export const insertAuditEvents = compileOnce(
  (db, value: { tenantId: bigint; at: bigint; rows: string }, engine) =>
    db
      .insertInto('audit_event')
      .columns(['tenant_id', 'at', ...auditColumns.map(({ name }) => name)])
      .expression((eb) =>
        eb
          .selectFrom(engine.rowTable(value.rows, auditColumns))
          .select([
            sql<bigint>`cast(${value.tenantId} as bigint)`.as('tenant_id'),
            sql<bigint>`cast(${value.at} as bigint)`.as('at'),
          ])
          .select(auditColumns.map(({ name }) => sql.ref(name).as(name))),
      ),
);

/** Returns a row when the signature was not recorded before. */
export const insertAcceptedWrite = compileOnce((db, value: Row<'accepted_write'>, engine) =>
  db
    .insertInto('accepted_write')
    .values({
      expires_at_seconds: value.expires_at_seconds,
      signature: value.signature,
      request_id: value.request_id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(engine.purgedThrough.as('purged_through')),
);

/** Returns a row when the application has no claim of that nonce. Only a purge frees one. */
export const insertAcceptedNonce = compileOnce((db, value: Row<'accepted_nonce'>, engine) =>
  db
    .insertInto('accepted_nonce')
    .values({
      expires_at_seconds: value.expires_at_seconds,
      app_id: value.app_id,
      nonce: value.nonce,
      request_id: value.request_id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(engine.purgedThrough.as('purged_through')),
);
