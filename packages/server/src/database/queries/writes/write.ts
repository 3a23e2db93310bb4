import { stringifyExactJson } from '../../../json/exact-json.ts';
import { hasLongArray, jsonPieces } from '../../../json/json-pieces.ts';
import { concatInSlices } from '../../../slices/concat-in-slices.ts';
import { slicesOf } from '../../../slices/slices-of.ts';
import { TimeSlice } from '../../../slices/time-slice.ts';
import {
  type AcceptanceClaim,
  AlreadyAcceptedError,
  type AuditEvent,
  ClaimsPurgedError,
  type DirectoryWriter,
  type WriteResult,
} from '../../database.ts';
import { KyselyDirectoryWriter } from '../directory-writer.ts';
import { rowsToJson } from '../rows-json.ts';
import type { Session } from '../session.ts';
import { makeClaim } from './claim-queries.ts';
import { auditRow, insertAuditEvent, insertAuditEvents, insertLargeAuditEvent } from './write-queries.ts';

/** The tenant whose directory a write changed, and the time for its audit row. */
interface WriteScope {
  readonly tenantId: bigint;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

interface ClaimedWriteScope extends Pick<WriteScope, 'tenantId'> {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly claim: AcceptanceClaim | undefined;
}

/** Writes claim, effect and audit row, in that order, in the session's transaction. */
export async function writeInTransaction<T>(
  session: Session,
  { tenantId, now, claim }: ClaimedWriteScope,
  work: (directory: DirectoryWriter) => Promise<WriteResult<T>>,
): Promise<T> {
  const directory = new KyselyDirectoryWriter(session, tenantId, now());
  const { result, audit, more = [] } = await workWithClaim(session, claim, () => work(directory));
  // Taken while the locks are held: a write may begin before another one, wait for it, and overwrite what it did.
  const scope = { tenantId, nowMs: now() };
  await recordAudit(session, scope, audit);
  await recordAudits(session, scope, more);
  return result;
}

/**
 * Makes the claim, then does the work. If both fail, throws the error of the claim: the second of two copies must fail as
 * a copy, not because its username is taken.
 */
async function workWithClaim<T>(
  session: Session,
  claim: AcceptanceClaim | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (claim === undefined) return work();
  const { pipeline } = session.statements;
  const claiming = makeClaim(session, claim);
  if (pipeline === undefined) {
    await claiming;
    return work();
  }
  claiming.catch((error) => {
    if (isRefusedClaim(error)) pipeline.abandon();
  });
  const [claimed, worked] = await Promise.allSettled([claiming, work()]);
  if (claimed.status === 'rejected') throw claimed.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

/** Returns whether the claim itself was refused; otherwise a statement failed. */
function isRefusedClaim(error: unknown): boolean {
  return error instanceof AlreadyAcceptedError || error instanceof ClaimsPurgedError;
}

/** Records one change, in the session's transaction. */
export async function recordAudit(session: Session, scope: WriteScope, event: AuditEvent): Promise<void> {
  // Only the changes of operators and commands have an actor; all other changes use the shorter statement.
  if (event.actor !== undefined || hasLongArray(event.changes)) return recordAudits(session, scope, [event]);
  await insertAuditEvent(session, auditValues(scope, event, stringifyExactJson(event.changes)));
}

/** Rows, and characters of their changes, per statement. */
const auditSlice = {
  countMax: 500,
  weightMax: 128 * 1024,
  weightOf: ({ changes }: { readonly changes: string }) => changes.length,
};

/** Batches the audit rows of large writes. */
async function recordAudits(
  session: Session,
  scope: WriteScope,
  events: readonly AuditEvent[],
): Promise<void> {
  const { tenantId, nowMs } = scope;
  const timeSlice = new TimeSlice();
  const { large = [], small = [] } = Object.groupBy(events, ({ changes }) =>
    hasLongArray(changes) ? 'large' : 'small',
  );
  const values = small.values().map((event) => ({
    ...auditValues(scope, event, stringifyExactJson(event.changes)),
    actor: actorOf(event),
  }));
  for (const slice of slicesOf(values, auditSlice)) {
    const rows = rowsToJson(slice.map(auditRow));
    await insertAuditEvents(session, { tenantId, at: BigInt(nowMs), rows });
    if (timeSlice.isOver()) await timeSlice.next();
  }
  for (const event of large)
    await insertLargeAuditEvent(session, {
      ...auditValues(scope, event, await encodeChanges(event, timeSlice)),
      actor: actorOf(event),
    });
}

/** Returns an event's columns, apart from its actor. */
function auditValues<Changes extends string | Uint8Array>(
  { tenantId, nowMs }: WriteScope,
  { appId, requestId, operation, userId }: AuditEvent,
  changes: Changes,
) {
  return {
    tenant_id: tenantId,
    at: BigInt(nowMs),
    app_id: appId ?? null,
    request_id: requestId ?? null,
    operation,
    user_id: userId ?? null,
    changes,
  };
}

async function encodeChanges({ changes }: AuditEvent, timeSlice: TimeSlice): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (const piece of jsonPieces(changes)) {
    pieces.push(Buffer.from(piece));
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return concatInSlices(pieces, timeSlice);
}

function actorOf({ actor }: AuditEvent): string | null {
  return actor === undefined ? null : JSON.stringify(actor);
}
