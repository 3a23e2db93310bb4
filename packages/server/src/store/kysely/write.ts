import { stringifyExactJson } from '../../exact-json.ts';
import { slicesOf } from '../../turns/slices-of.ts';
import { Turns } from '../../turns/turns.ts';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  type AuditEvent,
  type DirectoryWriter,
  type WriteResult,
} from '../store.ts';
import { KyselyDirectoryWriter } from './directory.ts';
import { type Cell, rowsToJson } from './rows-json.ts';
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

/** Rows, and characters of what they tell, that one statement inserts. */
const auditSlice = {
  countMax: 500,
  weightMax: 128 * 1024,
  weightOf: (row: readonly Cell[]) => String(row[4]).length,
};

/** Batches the audit rows of large writes. */
async function recordAudits(
  session: Session,
  tenantId: bigint,
  nowMs: number,
  events: readonly AuditEvent[],
): Promise<void> {
  const turns = new Turns();
  const rows = events.values().map(auditRow);
  for (const slice of slicesOf(rows, auditSlice)) {
    await insertAuditEvents(session, { tenantId, at: BigInt(nowMs), rows: rowsToJson(slice) });
    if (turns.isOver()) await turns.next();
  }
}

function auditRow({ appId, requestId, operation, userId, changes }: AuditEvent): Cell[] {
  return [appId ?? null, requestId ?? null, operation, userId ?? null, stringifyExactJson(changes)];
}
