import { type Kysely, sql } from 'kysely';
import { boundedWaitMs, Deadline, runUnderDeadline } from '../../deadline.ts';
import type { Schema } from '../queries/schema.ts';

const selectReplicas = sql<{ replicas: string | null }>`
  select current_setting('synchronous_standby_names', true) as replicas`;

/** Writes to the log, because a commit waits for the replica only if its transaction has written something. */
const writeToLog = sql`select pg_logical_emit_message(true, 'fieldroster', cast('' as text))`;

/**
 * Waits until the synchronous replica, if there is one, has every commit that is visible now. PostgreSQL shows a commit
 * that the replica lacks if its wait was cancelled, or if the server crashed meanwhile and restarted. A failover would
 * lose it.
 *
 * @throws {DatabaseBusyError} when the replica does not confirm within the time
 * @throws {UnreplicatedCommitError} when the wait for its confirmation was cancelled
 */
export async function confirmReplicated(db: Kysely<Schema>, timeoutMs: number): Promise<void> {
  await runUnderDeadline(new Deadline(boundedWaitMs(timeoutMs)), async () => {
    const { rows } = await selectReplicas.execute(db);
    if (!rows[0]?.replicas) return;
    await db.transaction().execute(async (transaction) => {
      await writeToLog.execute(transaction);
    });
  });
}
