import type { AuditedCommand } from '@fieldroster/contract';
import type { Actor } from '../database.ts';
import type { Session } from './session.ts';

/** A change that no signed request made. */
export interface UnsignedChange {
  readonly tenantId: bigint;
  readonly nowMs: number;
  /** The command that made it; the console's change has the name of the command that does the same. */
  readonly operation: AuditedCommand;
  /** The changes, without a secret; anything that JSON can hold. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly actor: Actor | undefined;
  /** Request of the console that made it; absent for a command. */
  readonly requestId?: string | undefined;
}

/** Writes the audit row of a change. */
export async function recordUnsignedChange(session: Session, change: UnsignedChange): Promise<void> {
  await session.db
    .insertInto('audit_event')
    .values({
      tenant_id: change.tenantId,
      at: BigInt(change.nowMs),
      app_id: null,
      request_id: change.requestId ?? null,
      operation: change.operation,
      user_id: null,
      changes: JSON.stringify(change.changes),
      actor: change.actor === undefined ? null : JSON.stringify(change.actor),
    })
    .execute();
}

/** Writes the row for every tenant, for a change that affects all of them. */
export async function recordUnsignedChangeForAll(
  session: Session,
  change: Omit<UnsignedChange, 'tenantId'>,
): Promise<void> {
  const tenants = await session.db.selectFrom('tenant').select('id').orderBy('id').execute();
  for (const { id } of tenants) await recordUnsignedChange(session, { ...change, tenantId: id });
}
