import type { Actor } from '../database.ts';
import type { Session } from './session.ts';

/** A change that no signed request made. */
export interface OperatorEvent {
  readonly tenantId: bigint;
  readonly nowMs: number;
  /** The command that made it, such as `app create`. */
  readonly operation: string;
  /** What changed, without a secret; anything that JSON can hold. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly actor: Actor | undefined;
  /** Request of the console that made it; absent for a command. */
  readonly requestId?: string | undefined;
}

/** Writes the audit row of an operator's change. */
export async function recordOperatorEvent(session: Session, event: OperatorEvent): Promise<void> {
  await session.db
    .insertInto('audit_event')
    .values({
      tenant_id: event.tenantId,
      at: BigInt(event.nowMs),
      app_id: null,
      request_id: event.requestId ?? null,
      operation: event.operation,
      user_id: null,
      changes: JSON.stringify(event.changes),
      actor: event.actor === undefined ? null : JSON.stringify(event.actor),
    })
    .execute();
}

/** Writes the row for every tenant, for a change that affects all of them. */
export async function recordOperatorEventForAll(
  session: Session,
  event: Omit<OperatorEvent, 'tenantId'>,
): Promise<void> {
  const tenants = await session.db.selectFrom('tenant').select('id').orderBy('id').execute();
  for (const { id } of tenants) await recordOperatorEvent(session, { ...event, tenantId: id });
}
