import { sql } from 'kysely';
import type { ImportSession } from '../queries/imports/importer.ts';
import type { Session } from '../queries/session.ts';
import { retryAfterRace } from './transactions/retry-after-race.ts';
import { commit, rollBack } from './transactions/run-transaction.ts';

/** @param session has exactly one connection, so that its temporary tables stay visible */
export function importSession(session: Session, now: () => number): ImportSession {
  return {
    session,
    now,
    // A rollback also undoes what the work changed in the temporary tables.
    transact: (work) => retryAfterRace(() => attempt(session, work)),
    async tryOut(work) {
      await sql`begin isolation level repeatable read`.execute(session.db);
      try {
        return await work();
      } finally {
        await rollBack(session.db);
      }
    },
    close: () => session.db.destroy(),
  };
}

async function attempt<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await sql`begin`.execute(session.db);
  try {
    const result = await work();
    await commit(session.db);
    return result;
  } catch (error) {
    await rollBack(session.db);
    throw error;
  }
}
