import { compileOnce } from './compile-once.ts';
import type { Session } from './session.ts';

const lockTenantRow = compileOnce((db, value: { tenantId: bigint }, engine) =>
  engine.lockRows(db.selectFrom('tenant').select('tenant.id').where('tenant.id', '=', value.tenantId)),
);

/**
 * Lets in one write at a time that gives out an id, moves an organization or adds stores. An import changes
 * the same row, so that it waits as well. It comes before every other lock of such a write.
 */
export async function lockTenant(session: Session, tenantId: bigint): Promise<void> {
  await lockTenantRow(session, { tenantId });
}
