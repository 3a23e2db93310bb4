import { setImmediate as nextIteration } from 'node:timers/promises';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type CallRetention, callsKeptAheadMs, type PurgeTimes } from '../../call-records.ts';
import type { Session } from '../session.ts';

/**
 * How many rows of a table of summaries are deleted at once, and those of the same minute or hour as the last of them. The
 * embedded database deletes them on the event loop, in some 10 ms. A process adds 5,000 in a minute at most, and purges
 * once a minute.
 */
const summariesAtOnce = 20_000;

/**
 * How many failures a statement deletes, and those of the same millisecond as the last of them, and how many statements
 * of one kind a purge runs. The embedded database deletes them on the event loop, in some 10 ms, and answers others in
 * between. A process adds 600 in a minute at most.
 */
const failuresAtOnce = 1_000;
const failureStepsMax = 5;

/**
 * Failures dated further ahead than this, in milliseconds, are trimmed apart from the others: a clock was ahead then, or
 * is behind now.
 */
const soonMs = 3_600_000;

/** Deletes the records that are past their retention, and those that a clock dated far ahead. */
export async function purgeCalls(
  session: Session,
  { nowMs, latestMs }: PurgeTimes,
  { summariesMs, failuresMs, failuresMax }: CallRetention,
): Promise<void> {
  const { db } = session;
  await purgeSummaries(session, BigInt(nowMs - summariesMs));
  const before = BigInt(nowMs - failuresMs);
  await deleteFailures(session, sql`at < ${before}`);
  await db.deleteFrom('unkept_failure').where('minute_at', '<', before).execute();
  if (latestMs < Number.POSITIVE_INFINITY) await purgeAhead(session, BigInt(latestMs + callsKeptAheadMs));
  // Trims failures that a wrong clock dated ahead apart from the others, so that they displace none of the right time.
  const soon = BigInt(nowMs + soonMs);
  for (const verified of [0n, 1n]) {
    await trimFailures(session, sql`verified = ${verified} and at <= ${soon}`, failuresMax);
    await trimFailures(session, sql`verified = ${verified} and at > ${soon}`, failuresMax);
  }
}

/** Deletes the oldest rows at most, so that a long pause does not end with one long statement. */
async function purgeSummaries({ db }: Session, before: bigint): Promise<void> {
  for (const table of ['call_summary', 'call_hour'] as const) {
    const last = await db
      .selectFrom(table)
      .select('start_at')
      .where('start_at', '<', before)
      .orderBy('start_at')
      .offset(summariesAtOnce - 1)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom(table)
      .where('start_at', '<', last === undefined ? before : last.start_at + 1n)
      .execute();
  }
}

/** Deletes what is dated ahead. Of summaries, it deletes the latest rows at most, for the same reason. */
async function purgeAhead(session: Session, after: bigint): Promise<void> {
  const { db } = session;
  await deleteFailures(session, sql`at > ${after}`);
  await db.deleteFrom('unkept_failure').where('minute_at', '>', after).execute();
  for (const table of ['call_summary', 'call_hour'] as const) {
    const first = await db
      .selectFrom(table)
      .select('start_at')
      .where('start_at', '>', after)
      .orderBy('start_at', 'desc')
      .offset(summariesAtOnce - 1)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom(table)
      .where('start_at', '>', first === undefined ? after : first.start_at - 1n)
      .execute();
  }
}

/** Deletes all but the newest of the failures that fulfil a condition. */
async function trimFailures(
  session: Session,
  condition: RawBuilder<SqlBool>,
  failuresMax: number,
): Promise<void> {
  const newestToGo = await session.db
    .selectFrom('failed_call')
    .select('at')
    .where(condition)
    .orderBy('at', 'desc')
    .offset(failuresMax)
    .limit(1)
    .executeTakeFirst();
  if (newestToGo === undefined) return;
  await deleteFailures(session, sql`${condition} and at <= ${newestToGo.at}`);
}

/** Deletes the oldest of the failures that fulfil a condition. The next purge deletes what is left. */
async function deleteFailures({ db }: Session, condition: RawBuilder<SqlBool>): Promise<void> {
  for (let step = 0; step < failureStepsMax; step += 1) {
    if (step > 0) await nextIteration();
    const last = await db
      .selectFrom('failed_call')
      .select('at')
      .where(condition)
      .orderBy('at')
      .offset(failuresAtOnce - 1)
      .limit(1)
      .executeTakeFirst();
    await db
      .deleteFrom('failed_call')
      .where(condition)
      .$if(last !== undefined, (query) => query.where('at', '<=', last?.at ?? 0n))
      .execute();
    if (last === undefined) return;
  }
}
