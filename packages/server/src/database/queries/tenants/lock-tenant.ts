import { compileOnce } from '../compile-once.ts';
import type { Session } from '../session.ts';

const lockTenantRow = compileOnce((db, value: { tenantId: bigint }, engine) =>
  engine.lockRows(db.selectFrom('tenant').select('tenant.id').where('tenant.id', '=', value.tenantId)),
);

/**
 * Serializes writes that assign an id, move an organization or add stores, and imports. Such a write takes this lock
 * before every other.
 */
export async function lockTenant(session: Session, tenantId: bigint): Promise<void> {
  await lockTenantRow(session, { tenantId });
}
