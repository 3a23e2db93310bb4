import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '../kysely/schema.ts';
import type { Session } from '../kysely/session.ts';
import { StoreBusyError } from '../store.ts';
import { postgresEngine } from './engine.ts';
import { faultOf } from './postgres-error.ts';

/** Races are lost a few times in a row at most; what loses more often is a fault of another kind. */
const attemptsMax = 10;

const pauseMsMax = 50;

/**
 * Runs work in a transaction, again when it lost a race against another.
 *
 * @throws {StoreBusyError} when it lost every time
 */
export async function runTransaction<T>(
  db: Kysely<Schema>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db
        .transaction()
        .setIsolationLevel('read committed')
        .execute((transaction) => work({ db: transaction, engine: postgresEngine }));
    } catch (error) {
      if (faultOf(error) !== 'conflict') throw error;
      if (attempt === attemptsMax)
        throw new StoreBusyError('other writes were faster each time', { cause: error });
      await delay(Math.random() * Math.min(pauseMsMax, 2 ** attempt));
    }
  }
}
