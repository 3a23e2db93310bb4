import { setImmediate as nextIteration } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FailedCallRecord, FailureCallers, FailurePage, LatestFailure } from '../../call-records.ts';
import type { Session } from '../session.ts';
import { failureColumns, fromFailureRow } from './failure-rows.ts';

/**
 * How many failed calls a statement looks at. The embedded database does so on the event loop, in a few milliseconds, and
 * answers others in between.
 */
const failuresAtOnce = 2_000;

/** Reads failed calls backwards in time. The table has a bounded number of rows, so a filter may read all of them. */
export async function readFailuresBack(
  session: Session,
  { filters, before, limit }: FailurePage,
): Promise<FailedCallRecord[]> {
  const { operation, code, requestId } = filters;
  const conditions = [ofCallers(session, filters)];
  if (operation !== undefined) conditions.push(sql`operation = ${operation}`);
  if (code !== undefined) conditions.push(sql`code = ${BigInt(code)}`);
  if (requestId !== undefined) return readOneFailure(session, { requestId, before, conditions });
  const found: FailedCallRecord[] = [];
  for (let position = before; ; await nextIteration()) {
    const last = await lastToLookAt(session, position);
    const rows = await failuresBefore(session, position)
      .select(failureColumns)
      .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(at, request_id) >= (${BigInt(last?.atMs ?? 0)}, ${last?.requestId ?? ''})`),
      )
      .limit(limit - found.length)
      .execute();
    found.push(...rows.map(fromFailureRow));
    if (last === undefined || found.length === limit) return found;
    position = last;
  }
}

type Position = FailurePage['before'];

interface OneFailure {
  readonly requestId: string;
  readonly before: Position;
  readonly conditions: readonly RawBuilder<unknown>[];
}

async function readOneFailure(
  session: Session,
  { requestId, before, conditions }: OneFailure,
): Promise<FailedCallRecord[]> {
  const row = await failuresBefore(session, before)
    .select(failureColumns)
    .where('request_id', '=', requestId)
    .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
    .executeTakeFirst();
  return row === undefined ? [] : [fromFailureRow(row)];
}

function failuresBefore({ db }: Session, position: Position) {
  return db
    .selectFrom('failed_call')
    .$if(position !== undefined, (query) =>
      query.where(
        sql<boolean>`(at, request_id) < (${BigInt(position?.atMs ?? 0)}, ${position?.requestId ?? ''})`,
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('request_id', 'desc');
}

/** Returns the position of the last failed call to look at next, or `undefined` when there are only a few left. */
async function lastToLookAt(session: Session, position: Position): Promise<Position> {
  const last = await failuresBefore(session, position)
    .select(['at', 'request_id'])
    .offset(failuresAtOnce - 1)
    .limit(1)
    .executeTakeFirst();
  return last && { atMs: Number(last.at), requestId: last.request_id };
}

function ofCallers({ engine }: Session, { appIds, knownAppIds }: FailureCallers): RawBuilder<SqlBool> {
  const listed = engine.isListed('app_id', engine.encodeTexts(appIds));
  if (knownAppIds === undefined) return sql<SqlBool>`${listed}`;
  const known = engine.isListed('app_id', engine.encodeTexts(knownAppIds));
  return sql<SqlBool>`(${listed} or app_id is null or not (${known}))`;
}

type Latest = { readonly sinceMs: number; readonly appIds: readonly string[] };

/** Finds the latest failed call of each application and code. */
export async function readLatestFailures(
  session: Session,
  { sinceMs, appIds }: Latest,
): Promise<LatestFailure[]> {
  const latest = new Map<string, LatestFailure>();
  for (let from: bigint | undefined = BigInt(sinceMs); from !== undefined; await nextIteration()) {
    const end = await endOfPart(session, from);
    // A later part is later in time.
    for (const failure of await latestOfPart(session, { from, end, appIds })) {
      latest.set(`${failure.appId} ${failure.code}`, failure);
    }
    from = end;
  }
  return [...latest.values()];
}

/** Returns the time after that of the last failed call to look at next, or `undefined` when no more follow. */
async function endOfPart({ db }: Session, from: bigint): Promise<bigint | undefined> {
  const last = await db
    .selectFrom('failed_call')
    .select('at')
    .where('at', '>=', from)
    .orderBy('at')
    .offset(failuresAtOnce - 1)
    .limit(1)
    .executeTakeFirst();
  return last && last.at + 1n;
}

interface Part {
  readonly from: bigint;
  readonly end: bigint | undefined;
  readonly appIds: readonly string[];
}

/** Ranking all calls by a window function takes SQLite three times as long. */
async function latestOfPart({ db, engine }: Session, { from, end, appIds }: Part): Promise<LatestFailure[]> {
  const isBefore = end === undefined ? sql`true` : sql`at < ${end}`;
  const { rows } = await sql<{ app_id: string; code: bigint; at: bigint; request_id: string }>`
    with latest as (
      select app_id, code, max(at) as at from failed_call
      where at >= ${from} and ${isBefore} and ${engine.isListed('app_id', engine.encodeTexts(appIds))}
      group by app_id, code
    )
    select latest.app_id, latest.code, latest.at, max(failed_call.request_id) as request_id
    from latest
    join failed_call on failed_call.at = latest.at
      and failed_call.app_id = latest.app_id and failed_call.code = latest.code
    group by latest.app_id, latest.code, latest.at`.execute(db);
  return rows.map((row) => ({
    appId: row.app_id,
    code: Number(row.code),
    atMs: Number(row.at),
    requestId: row.request_id,
  }));
}
