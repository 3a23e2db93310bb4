import type { Selectable, Updateable } from 'kysely';
import { parsePrintableJson } from '../../../json/exact-json.ts';
import type {
  CommandActor,
  OperatorChanges,
  OperatorLink,
  OperatorRecord,
  OperatorRole,
  StoredOperatorEvent,
} from '../../database.ts';
import type { Schema } from '../schema.ts';

export type OperatorRow = Selectable<Schema['operator']>;

export function toOperator(row: OperatorRow, tenantIds: readonly bigint[]): OperatorRecord {
  return {
    id: row.id,
    username: row.username,
    passwordHash: row.password_hash,
    role: row.role as OperatorRole,
    allTenants: row.all_tenants === 1n,
    tenantIds,
    status: row.status === 'active' ? 'active' : 'disabled',
    ...(row.totp_sealed !== null && { totpSealed: row.totp_sealed }),
    ...(row.totp_pending !== null && { totpPending: row.totp_pending }),
    totpStep: row.totp_step,
    recoveryHashes: JSON.parse(row.recovery_hashes) as string[],
    sessionsFromMs: Number(row.sessions_from),
    createdAtMs: Number(row.created_at),
  };
}

/** Returns the columns to set; the tenants have a table of their own. */
export function toOperatorColumns(changes: OperatorChanges): Updateable<Schema['operator']> {
  const { role, allTenants, passwordHash, status, totpSealed, totpPending, totpStep } = changes;
  const { recoveryHashes, sessionsFromMs } = changes;
  return {
    ...(role !== undefined && { role }),
    ...(allTenants !== undefined && { all_tenants: allTenants ? 1n : 0n }),
    ...(passwordHash !== undefined && { password_hash: passwordHash }),
    ...(status !== undefined && { status }),
    ...(totpSealed !== undefined && { totp_sealed: totpSealed }),
    ...(totpPending !== undefined && { totp_pending: totpPending }),
    ...(totpStep !== undefined && { totp_step: totpStep }),
    ...(recoveryHashes !== undefined && { recovery_hashes: JSON.stringify(recoveryHashes) }),
    ...(sessionsFromMs !== undefined && { sessions_from: BigInt(sessionsFromMs) }),
  };
}

export function toLink(row: Selectable<Schema['operator_link']>): OperatorLink {
  return {
    tokenHash: row.token_hash,
    ...(row.operator_id !== null && { operatorId: row.operator_id }),
    role: row.role as OperatorRole,
    allTenants: row.all_tenants === 1n,
    tenantIds: (JSON.parse(row.tenant_ids) as string[]).map(BigInt),
    ...(row.made_by !== null && { madeBy: row.made_by }),
    expiresAtMs: Number(row.expires_at),
  };
}

export function toEvent(row: Selectable<Schema['operator_event']>): StoredOperatorEvent {
  return {
    id: row.id,
    atMs: Number(row.at),
    operation: row.operation,
    changes: parsePrintableJson(row.changes) as Record<string, unknown>,
    ...(row.operator_id !== null && { operatorId: row.operator_id }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.actor !== null && { actor: JSON.parse(row.actor) as CommandActor }),
  };
}
