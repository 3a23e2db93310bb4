import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { FailedCallRecord, FailureCallers, FailurePage, LatestFailure } from '../../call-records.ts';
import type { Session } from '../session.ts';
import { failureColumns, fromFailureRow } from './failure-rows.ts';

/** Reads failed calls backwards in time. The table has a bounded number of rows, so a filter may read all of them. */
export async function readFailuresBack(
  session: Session,
  { filters, before, limit }: FailurePage,
): Promise<FailedCallRecord[]> {
  const { operation, code, requestId } = filters;
  let query = session.db.selectFrom('failed_call').select(failureColumns).where(ofCallers(session, filters));
  if (operation !== undefined) query = query.where('operation', '=', operation);
  if (code !== undefined) query = query.where('code', '=', BigInt(code));
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  if (before !== undefined) {
    query = query.where(sql<boolean>`(at, request_id) < (${BigInt(before.atMs)}, ${before.requestId})`);
  }
  const rows = await query.orderBy('at', 'desc').orderBy('request_id', 'desc').limit(limit).execute();
  return rows.map(fromFailureRow);
}

function ofCallers({ engine }: Session, { appIds, knownAppIds }: FailureCallers): RawBuilder<SqlBool> {
  const listed = engine.isListed('app_id', engine.encodeTexts(appIds));
  if (knownAppIds === undefined) return sql<SqlBool>`${listed}`;
  const known = engine.isListed('app_id', engine.encodeTexts(knownAppIds));
  return sql<SqlBool>`(${listed} or app_id is null or not (${known}))`;
}

/**
 * Finds the latest failed call of each application and code. Ranking all calls by a window function takes SQLite three times
 * as long.
 */
export async function readLatestFailures(
  { db, engine }: Session,
  { sinceMs, appIds }: { readonly sinceMs: number; readonly appIds: readonly string[] },
): Promise<LatestFailure[]> {
  const { rows } = await sql<{ app_id: string; code: bigint; at: bigint; request_id: string }>`
    with latest as (
      select app_id, code, max(at) as at from failed_call
      where at >= ${BigInt(sinceMs)} and ${engine.isListed('app_id', engine.encodeTexts(appIds))}
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
