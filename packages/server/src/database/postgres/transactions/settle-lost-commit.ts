import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { BusyError } from '../../../errors/busy-error.ts';
import { boundedWaitMs } from '../../../time/deadline.ts';
import { type AcceptanceClaim, AlreadyAcceptedError, OutcomeUnknownError } from '../../database.ts';
import { queryBuilderSession } from '../../queries/query-builder-session.ts';
import type { Schema } from '../../queries/schema.ts';
import { type ClaimFate, tryClaimAgain } from '../../queries/writes/claim-queries.ts';
import { postgresEngine } from '../engine.ts';
import type { ReplicaConfirmation } from './replica-confirmation.ts';
import { CommitLostError } from './run-transaction.ts';

/** Longest time to ask for the fate of a transaction, in milliseconds; the caller waits for the answer. */
const askMs = 5_000;

/**
 * Shortest time to ask whether a copy is replicated, in milliseconds, even if the time of the call is over. The call
 * has often waited all that time for the first copy, and an answer then decides between 1015 and an unknown outcome.
 */
const confirmAtLeastMs = 2_000;

const pauseMs = 100;

export interface Settling {
  readonly db: Kysely<Schema>;
  readonly replicated: ReplicaConfirmation;
}

/**
 * Uses the claim of a transaction to find out whether it took effect when the reply to its COMMIT was lost. Reports an
 * effect only once the synchronous replica has it.
 *
 * @throws {BusyError} when it did not
 * @throws {AlreadyAcceptedError} when another copy of the same signed request did
 * @throws {OutcomeUnknownError} when it made no claim, or the database did not answer in time
 */
export async function settleLostCommit<T>(
  { db, replicated }: Settling,
  claim: AcceptanceClaim | undefined,
  transaction: Promise<T>,
): Promise<T> {
  try {
    return await transaction;
  } catch (error) {
    if (error instanceof AlreadyAcceptedError) throw await whenReplicated(replicated, error);
    if (!(error instanceof CommitLostError) || claim === undefined) throw error;
    const cause = error.cause;
    switch (await findFate({ db, replicated }, claim)) {
      case 'committed':
        return error.result as T;
      case 'committed by another':
        throw new AlreadyAcceptedError('this request was accepted before', { cause });
      case 'rolled back':
        throw new BusyError('the connection broke before the commit', { cause });
      case 'unknown':
        throw new OutcomeUnknownError(true, { cause });
    }
  }
}

/**
 * Returns the error for an accepted copy: the given one, or `OutcomeUnknownError` if a failover could still lose the
 * copy.
 */
async function whenReplicated(
  replicated: ReplicaConfirmation,
  accepted: AlreadyAcceptedError,
): Promise<Error> {
  const endsAtMs = performance.now() + Math.max(confirmAtLeastMs, boundedWaitMs(askMs));
  for (;;) {
    try {
      await replicated.confirm(endsAtMs - performance.now());
      return accepted;
    } catch (cause) {
      // The connection that asked may have broken, as all connections do when the database restarts.
      const mayPass = cause instanceof BusyError && performance.now() + pauseMs < endsAtMs;
      if (!mayPass) return new OutcomeUnknownError(true, { cause }, unconfirmed);
    }
    await delay(pauseMs);
  }
}

const unconfirmed =
  'a copy of this request was accepted, but it is not known whether a synchronous replica has it';

/** Asks until the database answers, or until the time for asking or that of the call is over. */
async function findFate({ db, replicated }: Settling, claim: AcceptanceClaim): Promise<ClaimFate> {
  const endsAtMs = performance.now() + boundedWaitMs(askMs);
  for (;;) {
    const remainingMs = Math.ceil(endsAtMs - performance.now());
    if (remainingMs <= 0) return 'unknown';
    try {
      const fate = await ask(db, claim, remainingMs);
      if (fate.startsWith('committed')) await replicated.confirm(endsAtMs - performance.now());
      return fate;
    } catch {
      await delay(pauseMs);
    }
  }
}

/** Asks in a transaction that is rolled back, so that the claim stays free. */
async function ask(db: Kysely<Schema>, claim: AcceptanceClaim, timeoutMs: number): Promise<ClaimFate> {
  const transaction = await db.startTransaction().setIsolationLevel('read committed').execute();
  try {
    await sql`set local lock_timeout = ${sql.lit(timeoutMs)}`.execute(transaction);
    return await tryClaimAgain(queryBuilderSession(transaction, postgresEngine), claim);
  } finally {
    await transaction.rollback().execute();
  }
}
