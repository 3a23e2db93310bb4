import { sql } from 'kysely';
import { compileOnce, compileUnanswered } from '../compile-once.ts';
import type { Cell } from '../rows-json.ts';
import type { Schema } from '../schema.ts';
import { given, int64 } from '../targets/given-rows.ts';

type Row<Table extends keyof Schema> = { [Column in keyof Schema[Table]]: Schema[Table][Column] };

export const insertAuditEvent = compileUnanswered((db, value: Omit<Row<'audit_event'>, 'id' | 'actor'>) =>
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

/** Inserts a row whose changes are given as UTF-8: as a string, they would be encoded in one go. */
export const insertLargeAuditEvent = compileOnce(
  (db, value: Omit<Row<'audit_event'>, 'id' | 'changes'> & { changes: Uint8Array }) =>
    db.insertInto('audit_event').values({
      tenant_id: value.tenant_id,
      at: value.at,
      app_id: value.app_id,
      request_id: value.request_id,
      operation: value.operation,
      user_id: value.user_id,
      changes: sql<string>`cast(${value.changes} as text)`,
      actor: value.actor,
    }),
);

const auditColumns = [
  { name: 'app_id', type: 'text' },
  { name: 'request_id', type: 'text' },
  { name: 'operation', type: 'text' },
  { name: 'user_id', type: 'int64' },
  { name: 'changes', type: 'text' },
  { name: 'actor', type: 'text' },
] as const;

type AuditCells = Pick<Row<'audit_event'>, (typeof auditColumns)[number]['name']>;

/** Returns the cells that {@link insertAuditEvents} reads. */
export function auditRow(values: AuditCells): Cell[] {
  return auditColumns.map(({ name }) => values[name]);
}

/** Inserts rows passed as one JSON text; see the engine's `rowTable`. */
export const insertAuditEvents = compileOnce(
  (db, value: { tenantId: bigint; at: bigint; rows: string }, engine) =>
    db
      .insertInto('audit_event')
      .columns(['tenant_id', 'at', ...auditColumns.map(({ name }) => name)])
      .expression((eb) =>
        eb
          .selectFrom(engine.rowTable(value.rows, auditColumns))
          .select([int64(value.tenantId).as('tenant_id'), int64(value.at).as('at')])
          .select(auditColumns.map(({ name }) => given(name).as(name))),
      ),
);

/** Returns a row if the signature was not recorded before. */
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

/** Returns a row if the application has no claim on the nonce. Only a purge frees a nonce. */
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
