import { setTimeout as delay } from 'node:timers/promises';
import {
  AbortedTransactionError,
  type Kysely,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
} from 'kysely';
import pg from 'pg';
import { BusyError } from '../../../errors/busy-error.ts';
import { boundedWaitMs, Deadline, runUnderDeadline } from '../../../time/deadline.ts';
import { OutcomeUnknownError } from '../../database.ts';
import type { Schema } from '../../queries/schema.ts';
import type { Session } from '../../queries/session.ts';
import { UnsentStatementError } from '../connections/pooled-connection.ts';
import { causeOf, faultOf, isMixedUp } from '../errors/postgres-error.ts';
import { PipelinedSession } from './pipelined-session.ts';
import { startTransaction } from './transaction-start.ts';

/** Work loses at most a few races in a row; more losses have another cause. */
const attemptsMax = 10;

const pauseMsMax = 50;

/** COMMIT was sent, and its reply was lost. */
export class CommitLostError<T = unknown> extends OutcomeUnknownError {
  override readonly name = 'CommitLostError';
  /** Result of the work, valid if the transaction was committed. */
  readonly result: T;

  constructor(result: T, options: ErrorOptions) {
    super(false, options);
    this.result = result;
  }
}

export interface TransactionOptions {
  /**
   * Sends COMMIT together with the last statements, which saves a round trip. The caller must be able to find out what
   * happened when their answers are lost: COMMIT may have been carried out all the same.
   */
  readonly commitAhead?: boolean;
}

/** A call that has less time left than this does not send COMMIT ahead. */
const commitAheadMs = 2_000;

/**
 * Runs work in a transaction and repeats it when it loses a race.
 *
 * @throws {BusyError} when it lost every time
 * @throws {CommitLostError} when the reply to COMMIT was lost
 */
export async function runTransaction<T>(
  pool: PostgresPool,
  work: (session: Session) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    try {
      return await attemptTransaction(client, work, options);
    } catch (error) {
      if (faultOf(error) !== 'conflict') throw error;
      if (attempt === attemptsMax)
        throw new BusyError(`the transaction lost to concurrent writes ${attemptsMax} times`, {
          cause: error,
        });
    } finally {
      client.release();
    }
    await delay(Math.random() * Math.min(pauseMsMax, 2 ** attempt));
  }
}

async function attemptTransaction<T>(
  client: PostgresPoolClient,
  work: (session: Session) => Promise<T>,
  { commitAhead = false }: TransactionOptions,
): Promise<T> {
  // A pooled connection sends it together with the first statement.
  await client.query(startTransaction, []);
  const session = new PipelinedSession(client);
  let result: T;
  let unanswered = Promise.resolve();
  try {
    result = await work(session);
    unanswered = session.end();
    if (!commitAhead || boundedWaitMs(commitAheadMs) < commitAheadMs) await unanswered;
  } catch (error) {
    // An earlier statement, whose answer nobody awaited, may have made this one fail. Its error is the cause.
    const [sent] = await Promise.allSettled([session.end(), client.query('rollback', [])]);
    throw sent.status === 'rejected' ? sent.reason : error;
  }
  const [sent, committed] = await Promise.allSettled([unanswered, client.query('commit', [])]);
  const failed = sent.status === 'rejected' ? sent.reason : undefined;
  if (committed.status === 'fulfilled') {
    if (committed.value.command !== 'ROLLBACK') return result;
    throw failed ?? new AbortedTransactionError();
  }
  if (!(await wasRolledBack(committed.reason, () => client.query('select 1', []))))
    throw new CommitLostError(result, { cause: committed.reason });
  throw failed ?? committed.reason;
}

/** How long to wait for the answer that shows whether a connection still exists, in milliseconds. */
const stillThereMs = 1_000;

/**
 * Returns whether the failure of a COMMIT proves that nothing was committed: the database reported it and kept the
 * connection. An error that ends the connection may follow a commit, for example while it waits for a replica, or when
 * the log was written but not synced. No field of the error tells, because the driver passes on its severity only in
 * the language of the database.
 *
 * @param ask sends a statement on the same connection
 */
async function wasRolledBack(error: unknown, ask: () => Promise<unknown>): Promise<boolean> {
  if (error instanceof AbortedTransactionError || error instanceof UnsentStatementError) return true;
  // Then the COMMIT was not carried out, and the connection takes no further statement.
  if (isMixedUp(causeOf(error))) return true;
  if (!isAnswer(error)) return false;
  // The time of the call may be over by now.
  const asking = runUnderDeadline(new Deadline(stillThereMs), ask);
  return asking.then(() => true, isAnswer);
}

/** Returns whether the database reported the error itself, and not that it ends the connection. */
function isAnswer(error: unknown): boolean {
  const answer = causeOf(error);
  return answer instanceof pg.DatabaseError && faultOf(answer) !== 'unavailable';
}

/** Commits a manually begun transaction. Throws `OutcomeUnknownError` when the reply was lost. */
export async function commit(db: Kysely<Schema>): Promise<void> {
  try {
    await sql`commit`.execute(db);
  } catch (cause) {
    if (await wasRolledBack(cause, () => sql`select 1`.execute(db))) throw cause;
    throw new OutcomeUnknownError(false, { cause });
  }
}

/** Rolls back an open transaction. Never rejects: if the connection is lost, PostgreSQL undoes the transaction. */
export async function rollBack(db: Kysely<Schema>): Promise<void> {
  await sql`rollback`.execute(db).catch(() => {});
}
