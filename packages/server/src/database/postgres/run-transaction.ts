import { setTimeout as delay } from 'node:timers/promises';
import { AbortedTransactionError, type Kysely, sql } from 'kysely';
import pg from 'pg';
import { DatabaseBusyError, OutcomeUnknownError } from '../database.ts';
import { queryBuilderSession } from '../queries/query-builder-session.ts';
import type { Schema } from '../queries/schema.ts';
import type { Session } from '../queries/session.ts';
import { postgresEngine } from './engine.ts';
import { faultOf } from './postgres-error.ts';

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

/**
 * Runs work in a transaction and repeats it when it loses a race.
 *
 * @throws {DatabaseBusyError} when it lost every time
 * @throws {CommitLostError} when the reply to COMMIT was lost
 */
export async function runTransaction<T>(
  db: Kysely<Schema>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const done: T[] = [];
    try {
      return await db
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (transaction) => {
          done.push(await work(queryBuilderSession(transaction, postgresEngine)));
          return done[0] as T;
        });
    } catch (error) {
      // Once the work is done, COMMIT has been sent.
      if (done.length > 0 && !wasRolledBack(error)) throw new CommitLostError(done[0] as T, { cause: error });
      if (faultOf(error) !== 'conflict') throw error;
      if (attempt === attemptsMax)
        throw new DatabaseBusyError('other writes were faster each time', { cause: error });
      await delay(Math.random() * Math.min(pauseMsMax, 2 ** attempt));
    }
  }
}

/**
 * Whether the failure of a COMMIT proves that nothing was committed: the database reported it and kept the connection.
 * An error that ends the connection may follow a commit, for example while it waits for a replica.
 */
function wasRolledBack(error: unknown): boolean {
  if (error instanceof AbortedTransactionError) return true;
  const answer = error instanceof DatabaseBusyError ? error.cause : error;
  return answer instanceof pg.DatabaseError && faultOf(answer) !== 'unavailable';
}

/** Commits a manually begun transaction. Throws `OutcomeUnknownError` when the reply was lost. */
export async function commit(db: Kysely<Schema>): Promise<void> {
  try {
    await sql`commit`.execute(db);
  } catch (cause) {
    if (wasRolledBack(cause)) throw cause;
    throw new OutcomeUnknownError(false, { cause });
  }
}
