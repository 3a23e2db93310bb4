import { type RawBuilder, sql } from 'kysely';
import type {
  Actor,
  AuditEntry,
  AuditFilters,
  AuditListRequest,
  AuditPage,
  ListPosition,
} from '../../database.ts';
import type { Session } from '../session.ts';
import { fetchInOrder, fetchSmallest } from './audit-rows.ts';
import type { CandidateSource } from './candidate-source.ts';
import { idRows } from './id-rows.ts';
import { includesIfSmall, LargeMentions } from './large-mentions.ts';
import { oneRowAtATime, scanPage } from './scan-page.ts';

/** Lists a page of the tenant's audit rows, or of one user's, newest first. Large changes end the page early. */
export async function listAuditEvents(
  session: Session,
  tenantId: bigint,
  { filters, ...page }: AuditListRequest,
): Promise<AuditPage> {
  const source = newestFirst(tenantId, filters);
  const filter = auditFilter(session, filters);
  const { mentioned } = filters;
  const large = mentioned === undefined ? undefined : new LargeMentions(session, mentioned);
  const recheck = large && ((passing: readonly ListPosition[]) => large.keep(passing));
  const plan = { ...page, source, filter, recheck, descending: true };
  const { positions, next } = await scanPage(session, plan);
  const {
    entries,
    bytes,
    cutAfter = next,
  } = await fetchInOrder(
    session,
    tenantId,
    positions.map(({ id }) => id),
  );
  return { entries, bytes, ...(cutAfter !== undefined && { next: cutAfter }) };
}

/**
 * How many of a user's newest rows may have the deletion. Rows of erasures and those that a clock dated ahead can follow
 * it. A user who was erased before a deletion has none among many thousands of rows.
 */
const newestRows = 100;

/**
 * Returns the row of each user's deletion. One statement finds them, among the newest rows of each user. If all of them
 * would take too much memory, the largest are left out.
 */
export async function listDeletions(
  session: Session,
  tenantId: bigint,
  userIds: readonly bigint[],
): Promise<readonly AuditEntry[]> {
  if (userIds.length === 0) return [];
  const newest = sql`select event.id, event.at, event.operation from audit_event as event
    where event.tenant_id = ${tenantId} and event.user_id = given.id
    order by event.at desc, event.id desc limit ${newestRows}`;
  const ofUser = sql`select id from (${newest}) as newest where operation = 'delete-user'
    order by at desc, id desc limit 1`;
  const { rows } = await sql<{ id: bigint | null }>`
    select (${ofUser}) as id from ${idRows(session.engine, userIds)}`.execute(session.db);
  return fetchSmallest(
    session,
    tenantId,
    rows.flatMap(({ id }) => id ?? []),
  );
}

function newestFirst(tenantId: bigint, { userId, sinceMs, untilMs }: AuditFilters): CandidateSource {
  const ofUser = userId === undefined ? sql`true` : sql`user_id = ${userId}`;
  const since = sinceMs === undefined ? sql`true` : sql`at >= ${sinceMs}`;
  return {
    async next(after, size) {
      return {
        scanned: sql`select at, id from audit_event
          where tenant_id = ${tenantId} and ${ofUser} and ${since} and ${before(untilMs, after)}
          order by at desc, id desc limit ${size}`,
      };
    },
  };
}

function before(untilMs: bigint | undefined, after: AuditListRequest['after']): RawBuilder<unknown> {
  if (after === undefined || (untilMs !== undefined && after.at >= untilMs)) {
    return untilMs === undefined ? sql`true` : sql`at < ${untilMs}`;
  }
  return sql`(at, id) < (${after.at}, ${after.id})`;
}

function auditFilter(
  { engine }: Session,
  { appId, operatorId, changeId, operation, mentioned }: AuditFilters,
): RawBuilder<unknown> | undefined {
  const conditions: RawBuilder<unknown>[] = [];
  if (appId !== undefined) conditions.push(sql`event.app_id = ${appId}`);
  if (operatorId !== undefined) conditions.push(madeBy(String(operatorId), changeId));
  if (operation !== undefined) conditions.push(sql`event.operation = ${operation}`);
  if (mentioned !== undefined) conditions.push(includesIfSmall(engine, mentioned));
  if (conditions.length === 0) return undefined;
  return sql`exists (select 1 from audit_event as event
    where event.id = scanned.id and ${sql.join(conditions, sql` and `)} ${oneRowAtATime})`;
}

/** The JSON of an operator begins with the kind and the id; the id of the change follows where there is one. */
function madeBy(id: string, changeId: string | undefined): RawBuilder<unknown> {
  const actor: Actor = { kind: 'operator', id, ...(changeId !== undefined && { changeId }) };
  const whole = JSON.stringify(actor);
  if (changeId !== undefined) return sql`event.actor = ${whole}`;
  const start = whole.slice(0, -1);
  return sql`substr(event.actor, 1, ${sql.lit(start.length)}) = ${start}`;
}
