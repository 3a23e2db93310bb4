import { setImmediate as nextIteration } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type {
  FailedCallRecord,
  FailureCallers,
  FailureFilters,
  FailurePage,
  LatestFailure,
} from '../../call-records.ts';
import type { Session } from '../session.ts';
import { failureColumns, fromFailureRow } from './failure-rows.ts';

/**
 * How many failed calls a statement looks at. The embedded database does so on the event loop, in a few milliseconds, and
 * answers others in between.
 */
const failuresAtOnce = 2_000;

/**
 * Reads failed calls backwards in time. The limits of time bound what is read. The other filters may read every row in
 * between, because the table has a bounded number of rows.
 */
export async function readFailuresBack(
  session: Session,
  { filters, before, limit }: FailurePage,
): Promise<FailedCallRecord[]> {
  const { operation, code, requestId } = filters;
  const conditions = [ofCallers(session, filters)];
  if (operation !== undefined) conditions.push(sql`operation = ${operation}`);
  if (code !== undefined) conditions.push(sql`code = ${BigInt(code)}`);
  const whole = partOfTime(filters, before);
  if (requestId !== undefined) return readOneFailure(session, { requestId, part: whole, conditions });
  const found: FailedCallRecord[] = [];
  for (let rest = whole; ; await nextIteration()) {
    const last = await lastToLookAt(session, rest);
    const rows = await failuresOf(session, { ...rest, first: last ?? rest.first })
      .select(failureColumns)
      .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
      .limit(limit - found.length)
      .execute();
    found.push(...rows.map(fromFailureRow));
    if (last === undefined || found.length === limit) return found;
    rest = { ...rest, before: last };
  }
}

/** A place in the order of failed calls. */
interface Position {
  readonly at: bigint;
  readonly requestId: string;
}

/** The failed calls from the first, included, to one that follows them. */
interface Part {
  readonly first?: Position | undefined;
  readonly before?: Position | undefined;
}

function partOfTime({ sinceMs, untilMs }: FailureFilters, before: FailurePage['before']): Part {
  // No request id precedes the empty one, so this is where the calls of a moment begin.
  const start = (at: bigint | undefined) => (at === undefined ? undefined : { at, requestId: '' });
  const until = start(untilMs);
  const last = before && { at: BigInt(before.atMs), requestId: before.requestId };
  const isLastLater = last !== undefined && until !== undefined && last.at >= until.at;
  return { first: start(sinceMs), before: isLastLater ? until : (last ?? until) };
}

interface OneFailure {
  readonly requestId: string;
  readonly part: Part;
  readonly conditions: readonly RawBuilder<unknown>[];
}

async function readOneFailure(
  session: Session,
  { requestId, part, conditions }: OneFailure,
): Promise<FailedCallRecord[]> {
  const row = await failuresOf(session, part)
    .select(failureColumns)
    .where('request_id', '=', requestId)
    .where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
    .executeTakeFirst();
  return row === undefined ? [] : [fromFailureRow(row)];
}

/** Both limits compare what the index by time is ordered by, so that it is read between them. */
function failuresOf({ db }: Session, { first, before }: Part) {
  return db
    .selectFrom('failed_call')
    .$if(first !== undefined, (query) =>
      query.where(sql<boolean>`(at, request_id) >= (${first?.at ?? 0n}, ${first?.requestId ?? ''})`),
    )
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(at, request_id) < (${before?.at ?? 0n}, ${before?.requestId ?? ''})`),
    )
    .orderBy('at', 'desc')
    .orderBy('request_id', 'desc');
}

/** Returns the position of the last failed call to look at next, or `undefined` when there are only a few left. */
async function lastToLookAt(session: Session, rest: Part): Promise<Position | undefined> {
  const last = await failuresOf(session, rest)
    .select(['at', 'request_id'])
    .offset(failuresAtOnce - 1)
    .limit(1)
    .executeTakeFirst();
  return last && { at: last.at, requestId: last.request_id };
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

interface PartOfLatest {
  readonly from: bigint;
  readonly end: bigint | undefined;
  readonly appIds: readonly string[];
}

/** Ranking all calls by a window function takes SQLite three times as long. */
async function latestOfPart(
  { db, engine }: Session,
  { from, end, appIds }: PartOfLatest,
): Promise<LatestFailure[]> {
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
