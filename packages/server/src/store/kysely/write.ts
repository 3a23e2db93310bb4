import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringifyExactJson } from '../../exact-json.ts';
import type { AcceptanceClaim, AuditEvent, DirectoryWriter, WriteResult } from '../store.ts';
import { makeClaim } from './claims.ts';
import { KyselyDirectoryWriter } from './directory.ts';
import { rowsToJson } from './rows-json.ts';
import type { Session } from './session.ts';
import { insertAuditEvent, insertAuditEvents } from './write-queries.ts';

/** Claim, effect and audit row, in that order, in the transaction that the session stands for. */
export async function writeInTransaction<T>(
  session: Session,
  tenantId: bigint,
  nowMs: number,
  claim: AcceptanceClaim | undefined,
  work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
): Promise<T> {
  // The claim goes first: of two copies, the second must be told so and not that its username is taken.
  if (claim !== undefined) await makeClaim(session, claim);
  const { result, audit, more = [] } = await work(new KyselyDirectoryWriter(session, tenantId, nowMs));
  await recordAudit(session, tenantId, nowMs, audit);
  await recordAudits(session, tenantId, nowMs, more);
  return result;
}

async function recordAudit(
  session: Session,
  tenantId: bigint,
  nowMs: number,
  event: AuditEvent,
): Promise<void> {
  await insertAuditEvent(session, {
    tenant_id: tenantId,
    at: BigInt(nowMs),
    app_id: event.appId ?? null,
    request_id: event.requestId ?? null,
    operation: event.operation,
    user_id: event.userId ?? null,
    changes: stringifyExactJson(event.changes),
  });
}

const auditRowsAtOnce = 500;

/** Of a write that reaches thousands, as few statements as can be. */
async function recordAudits(
  session: Session,
  tenantId: bigint,
  nowMs: number,
  events: readonly AuditEvent[],
): Promise<void> {
  for (let start = 0; start < events.length; start += auditRowsAtOnce) {
    const rows = events
      .slice(start, start + auditRowsAtOnce)
      .map(({ appId = null, requestId = null, operation, userId = null, changes }) => [
        ...[appId, requestId, operation, userId],
        stringifyExactJson(changes),
      ]);
    await insertAuditEvents(session, { tenantId, at: BigInt(nowMs), rows: rowsToJson(rows) });
    await nextTurn();
  }
}
