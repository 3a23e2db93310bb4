import type { ChangeOrigin } from '../../database.ts';
import { recordUnsignedChange, type UnsignedChange } from '../record-unsigned-change.ts';
import type { Session, TransactNow } from '../session.ts';
import { makeClaim } from '../writes/claim-queries.ts';

type RecordChange = (
  tenantId: bigint,
  operation: UnsignedChange['operation'],
  changes: UnsignedChange['changes'],
) => Promise<void>;

/** Undoes the transaction of a change that had nothing to do. */
class NothingDone extends Error {
  override readonly name = 'NothingDone';
}

/**
 * Changes an application, a secret or a tenant in a transaction that makes the claim first. If the work returns
 * `undefined`, the claim is undone too.
 *
 * @param work calls `record` with what it changed
 */
export async function changeCredentials<T>(
  transact: TransactNow,
  { actor, claim }: ChangeOrigin,
  work: (session: Session, record: RecordChange, nowMs: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await transact(async (session, nowMs) => {
      if (claim !== undefined) await makeClaim(session, claim);
      const record: RecordChange = (tenantId, operation, changes) =>
        recordChange(session, { tenantId, nowMs, operation, changes, actor, requestId: claim?.requestId });
      const result = await work(session, record, nowMs);
      if (result === undefined) throw new NothingDone();
      return result;
    });
  } catch (thrown) {
    if (thrown instanceof NothingDone) return undefined;
    throw thrown;
  }
}

/** Writes the audit row, and raises the revision, through which every process learns of the change. */
async function recordChange(session: Session, change: UnsignedChange): Promise<void> {
  await session.db
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1n) }))
    .where('name', '=', 'credentials')
    .execute();
  await session.engine.announceCredentials(session);
  await recordUnsignedChange(session, change);
}
