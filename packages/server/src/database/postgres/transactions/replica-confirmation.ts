import { type Kysely, sql } from 'kysely';
import { BusyError } from '../../../errors/busy-error.ts';
import { Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { withinMs } from '../../../time/within-ms.ts';
import type { Schema } from '../../queries/schema.ts';

const selectReplicas = sql<{ replicas: string | null }>`
  select current_setting('synchronous_standby_names', true) as replicas`;

/** Writes to the log, because a commit waits for the replica only if its transaction has written something. */
const writeToLog = sql`select pg_logical_emit_message(true, 'fieldroster', cast('' as text))`;

/** How long to wait for the replica at most, in milliseconds. */
const confirmMs = 5_000;

/**
 * Waits until the synchronous replica, if there is one, has every commit that is visible now. PostgreSQL shows a commit
 * that the replica lacks if its wait was cancelled, or if the server crashed during the wait and restarted. A failover
 * would lose it.
 */
export class ReplicaConfirmation {
  readonly #db: Kysely<Schema>;
  #next: Promise<void> | undefined;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(db: Kysely<Schema>) {
    this.#db = db;
  }

  /**
   * Asks once for all waiting callers. Otherwise each of a thousand copies of one request would need a connection.
   *
   * @throws {BusyError} when the database or its replica does not answer within the time
   * @throws {UnreplicatedCommitError} when the wait for its confirmation was cancelled
   */
  async confirm(timeoutMs = confirmMs): Promise<void> {
    this.#next ??= this.#askAfter(this.#underWay);
    await withinMs(this.#next, timeoutMs, () => {
      throw new BusyError('the database did not answer in time');
    });
  }

  async #askAfter(previous: Promise<unknown>): Promise<void> {
    await Promise.allSettled([previous]);
    // Later callers may know of a later commit.
    this.#next = undefined;
    const asking = runUnderDeadline(new Deadline(confirmMs), () => this.#ask());
    this.#underWay = asking;
    await asking;
  }

  async #ask(): Promise<void> {
    const { rows } = await selectReplicas.execute(this.#db);
    if (!rows[0]?.replicas) return;
    await this.#db.transaction().execute(async (transaction) => {
      await writeToLog.execute(transaction);
    });
  }
}
