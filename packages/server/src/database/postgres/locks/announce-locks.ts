import { sql } from 'kysely';
import type { Notice } from '../../../logging/notice.ts';
import { queryBuilderSession } from '../../queries/query-builder-session.ts';
import type { Session } from '../../queries/session.ts';
import { findHoldersBefore } from './lock-holders.ts';

export interface AnnounceLocksOptions {
  /** Opens another connection to the database. */
  readonly openSession: () => Session;
  readonly notice: Notice;
  /** How long the work may take before the first message, and between two of them, in milliseconds. */
  readonly everyMs?: number;
}

/** How long the query of PostgreSQL's own tables may take, in milliseconds. */
const lookMaxMs = 5_000;

/**
 * Runs work that may wait indefinitely for the locks of other sessions, such as those of another node that is migrating
 * the tables, and logs which sessions hold it up.
 *
 * @param session has one connection, on which the work runs
 */
export async function announceLocks<T>(
  session: Session,
  work: () => Promise<T>,
  { openSession, notice, everyMs = 10_000 }: AnnounceLocksOptions,
): Promise<T> {
  const pid = await processIdOf(session);
  let isLooking = false;
  let isOver = false;
  async function look(): Promise<void> {
    isLooking = true;
    const messages = await describeHolders(openSession(), pid).catch((error) => [
      `cannot tell which sessions hold up the work on the tables: ${error}`,
    ]);
    isLooking = false;
    if (!isOver) for (const message of messages) notice({}, message);
  }
  const timer = setInterval(() => {
    if (!isLooking) void look();
  }, everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    isOver = true;
  }
}

async function processIdOf({ db }: Session): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

/** @param pid process id of the session that may be waiting */
async function describeHolders(session: Session, pid: number): Promise<readonly string[]> {
  try {
    const holders = await session.db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(lookMaxMs)}`.execute(transaction);
      return findHoldersBefore(queryBuilderSession(transaction, session.engine), pid);
    });
    return holders.map(
      ({ who, doing, advice }) =>
        `waiting for a lock: ${who} ${doing}; unless that is another node migrating the tables, ${advice}`,
    );
  } finally {
    await session.db.destroy();
  }
}
