import type { Kysely } from 'kysely';
import type { Schema } from '../src/database/queries/schema.ts';
import { parseExactJson } from '../src/json/exact-json.ts';

export interface AuditRow {
  readonly tenantId: bigint;
  readonly atMs: number;
  readonly appId: string | null;
  readonly requestId: string | null;
  readonly operation: string;
  readonly userId: bigint | null;
  readonly changes: unknown;
}

/** Returns the audit rows that a request left. */
export async function readAuditRows(db: Kysely<Schema>, requestId: string): Promise<AuditRow[]> {
  const rows = await db.selectFrom('audit_event').selectAll().where('request_id', '=', requestId).execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    atMs: Number(row.at),
    appId: row.app_id,
    requestId: row.request_id,
    operation: row.operation,
    userId: row.user_id,
    changes: parseExactJson(row.changes),
  }));
}
