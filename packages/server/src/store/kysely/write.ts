import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringifyExactJson } from '../../exact-json.ts';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  type AuditEvent,
  type DirectoryWriter,
  type WriteResult,
} from '../store.ts';
import { KyselyDirectoryWriter } from './directory.ts';
import { rowsToJson } from './rows-json.ts';
import type { Session } from './session.ts';
import {
  insertAcceptedNonce,
  insertAcceptedWrite,
  insertAuditEvent,
  insertAuditEvents,
} from './write-queries.ts';

/** Claim, effect and audit row, in that order, in the transaction that the session stands for. */
export async function writeInTransaction<T>(
  session: Session,
  tenantId: bigint,
  nowMs: number,
  claim: AcceptanceClaim | undefined,
  work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
): Promise<T> {
  // The claim goes first: of two copies, the second must be told so and not that its username is taken.
  if (claim !== undefined) await makeClaim(session, nowMs, claim);
  const { result, audit, more = [] } = await work(new KyselyDirectoryWriter(session, tenantId, nowMs));
  await recordAudit(session, tenantId, nowMs, audit);
  await recordAudits(session, tenantId, nowMs, more);
  return result;
}

/** @throws {AlreadyAcceptedError} when it was made before */
export async function makeClaim(session: Session, nowMs: number, claim: AcceptanceClaim): Promise<void> {
  const expires_at_seconds = BigInt(claim.expiresAtSeconds);
  if (claim.signature !== undefined) {
    const made = await insertAcceptedWrite(session, { expires_at_seconds, signature: claim.signature });
    if (made.length === 0) throw new AlreadyAcceptedError('this signature was accepted before');
  }
  if (claim.nonce !== undefined) {
    const { appId, value } = claim.nonce;
    const now_seconds = BigInt(Math.floor(nowMs / 1000));
    const made = await insertAcceptedNonce(session, {
      expires_at_seconds,
      app_id: appId,
      nonce: value,
      now_seconds,
    });
    if (made.length === 0) throw new AlreadyAcceptedError('this nonce was accepted before');
  }
}

/** Returns how many claims were dropped. */
export async function forgetClaims({ db }: Session, expiredBeforeSeconds: number): Promise<number> {
  const before = BigInt(expiredBeforeSeconds);
  const writes = await db
    .deleteFrom('accepted_write')
    .where('expires_at_seconds', '<', before)
    .executeTakeFirst();
  const nonces = await db
    .deleteFrom('accepted_nonce')
    .where('expires_at_seconds', '<', before)
    .executeTakeFirst();
  return Number(writes.numDeletedRows + nonces.numDeletedRows);
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
