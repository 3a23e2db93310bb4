import { type RawBuilder, sql } from 'kysely';
import { parsePrintableJson } from '../../../json/exact-json.ts';
import type { Actor, AuditEntry, AuditFilters, AuditListRequest, Page } from '../../database.ts';
import { compileOnce } from '../compile-once.ts';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';
import type { CandidateSource } from './candidate-source.ts';
import { encodeIds, idColumns, idRows } from './id-rows.ts';
import { oneRowAtATime, scanPage } from './scan-page.ts';

/** Lists a page of the tenant's audit rows, or of one user's, newest first. */
export async function listAuditEvents(
  session: Session,
  tenantId: bigint,
  { filters, ...page }: AuditListRequest,
): Promise<Page<AuditEntry>> {
  const source = newestFirst(tenantId, filters);
  const filter = auditFilter(session, filters);
  const { positions, next } = await scanPage(session, { ...page, source, filter, descending: true });
  const entries = await fetchEvents(
    session,
    tenantId,
    positions.map(({ id }) => id),
  );
  return { entries, ...(next !== undefined && { next }) };
}

/** Returns the row of each user's deletion, in one statement that goes back from the newest row of each user. */
export async function listDeletions(
  session: Session,
  tenantId: bigint,
  userIds: readonly bigint[],
): Promise<AuditEntry[]> {
  if (userIds.length === 0) return [];
  const ofUser = sql`select event.id from audit_event as event
    where event.tenant_id = ${tenantId} and event.user_id = given.id and event.operation = 'delete-user'
    order by event.at desc, event.id desc limit 1`;
  const { rows } = await sql<{ id: bigint | null }>`
    select (${ofUser}) as id from ${idRows(session.engine, userIds)}`.execute(session.db);
  return fetchEvents(
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
  { appId, operatorId, operation, mentioned }: AuditFilters,
): RawBuilder<unknown> | undefined {
  const conditions: RawBuilder<unknown>[] = [];
  if (appId !== undefined) conditions.push(sql`event.app_id = ${appId}`);
  if (operatorId !== undefined) {
    const actor: Actor = { kind: 'operator', id: String(operatorId) };
    conditions.push(sql`event.actor = ${JSON.stringify(actor)}`);
  }
  if (operation !== undefined) conditions.push(sql`event.operation = ${operation}`);
  if (mentioned !== undefined) {
    conditions.push(engine.includesText('event.changes', JSON.stringify(mentioned)));
  }
  if (conditions.length === 0) return undefined;
  return sql`exists (select 1 from audit_event as event
    where event.id = scanned.id and ${sql.join(conditions, sql` and `)} ${oneRowAtATime})`;
}

async function fetchEvents(
  session: Session,
  tenantId: bigint,
  ids: readonly bigint[],
): Promise<AuditEntry[]> {
  if (ids.length === 0) return [];
  const rows = await selectAuditEvents(session, { tenantId, ids: encodeIds(ids) });
  const events = new Map(rows.map((row) => [row.id, toAuditEntry(row)]));
  return ids.flatMap((id) => events.get(id) ?? []);
}

type AuditRow = Omit<Schema['audit_event'], 'id' | 'tenant_id'> & { id: bigint };

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    atMs: row.at,
    ...(row.app_id !== null && { appId: row.app_id }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    operation: row.operation,
    ...(row.user_id !== null && { userId: row.user_id }),
    changes: parsePrintableJson(row.changes) as Record<string, unknown>,
    ...(row.actor !== null && { actor: JSON.parse(row.actor) as Actor }),
  };
}

/** Joins from the ids to the rows; the other way round, SQLite would read every row of the tenant. */
const selectAuditEvents = compileOnce((db, value: { tenantId: bigint; ids: string }, engine) =>
  db
    .selectFrom(engine.rowTable(value.ids, idColumns))
    .crossJoin('audit_event as event')
    .select(['event.id', 'event.at', 'event.app_id', 'event.request_id', 'event.operation'])
    .select(['event.user_id', 'event.changes', 'event.actor'])
    .whereRef('event.id', '=', sql.ref('given.id'))
    .where('event.tenant_id', '=', value.tenantId),
);
