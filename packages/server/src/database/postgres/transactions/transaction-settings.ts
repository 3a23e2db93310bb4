import { sql } from 'kysely';
import type { Session } from '../../queries/session.ts';

/** Two nodes may purge at once. The second gives up waiting soon, because it tries again anyway. */
export async function giveUpSoon({ db }: Session): Promise<void> {
  await sql`set local lock_timeout = '1s'`.execute(db);
}

/** Lets the transaction's commit return before it is on disk; a power cut may lose it. */
export async function commitWithoutWait({ db }: Session): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(db);
}
