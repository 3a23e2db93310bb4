import type { AuditedCommand } from '@fieldroster/contract';
import type { Actor, Erasure } from '../database.ts';
import { recordUnsignedChange } from './record-unsigned-change.ts';
import type { Session } from './session.ts';

/** A restore, as the audit trail of every tenant names it. */
export interface RecordedRestore {
  readonly nowMs: number;
  readonly operation: Extract<AuditedCommand, 'restore' | 'restore --finish'>;
  /** The moment of the backup in ISO 8601 and the release that made it, if known. */
  readonly backup?: { readonly at: string; readonly release: string } | undefined;
  readonly erasures: readonly Erasure[];
  readonly actor: Actor;
}

/** Writes the audit row of a restore for every tenant. Each row counts its own tenant only: others may not see more. */
export async function recordRestore(session: Session, restore: RecordedRestore): Promise<void> {
  const { nowMs, operation, backup, erasures, actor } = restore;
  const tenants = await session.db.selectFrom('tenant').select('id').orderBy('id').execute();
  for (const { id: tenantId } of tenants) {
    const changes = {
      ...(backup !== undefined && { backup_at: backup.at, release: backup.release }),
      users_restored: await countOf(session, 'user', tenantId),
      stores_restored: await countOf(session, 'store', tenantId),
      erasures_applied: erasures.filter((erasure) => erasure.tenantId === tenantId).length,
    };
    await recordUnsignedChange(session, { tenantId, nowMs, operation, changes, actor });
  }
}

async function countOf({ db }: Session, table: 'user' | 'store', tenantId: bigint): Promise<number> {
  const { rows } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('rows'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  return Number(rows);
}
