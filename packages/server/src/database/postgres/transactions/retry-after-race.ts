import pg from 'pg';
import { codeOf } from '../errors/error-code.ts';
import { faultOf } from '../errors/postgres-error.ts';
import { sqlStates } from '../errors/sql-states.ts';

const racesMax = 5;

/** Repeats work that leaves nothing behind when it loses a race, such as a single statement or a whole migration. */
export function retryAfterRace<T>(work: () => Promise<T>): Promise<T> {
  return retryWhile(isConflict, work);
}

/**
 * Repeats work that makes missing tables, and leaves nothing behind when it fails. When another process has made one of
 * them in the same moment, the next attempt finds it.
 */
export function retryMakingTables<T>(work: () => Promise<T>): Promise<T> {
  return retryWhile((error) => isConflict(error) || isMadeElsewhere(error), work);
}

async function retryWhile<T>(isRace: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  let first: unknown;
  for (let races = 1; ; races++) {
    try {
      return await work();
    } catch (error) {
      first ??= error;
      if (races === racesMax) throw first;
      if (!isRace(error)) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return faultOf(error) === 'conflict';
}

/**
 * Recognises that another process made the same table: the table or its row in a catalog exists already. Inside a
 * transaction, Kysely reports the failed transaction in place of either.
 */
function isMadeElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  if (code === sqlStates.duplicateTable || code === sqlStates.inFailedSqlTransaction) return true;
  return code === sqlStates.uniqueViolation && isOfCatalog(error);
}

function isOfCatalog(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.schema === 'pg_catalog';
}
