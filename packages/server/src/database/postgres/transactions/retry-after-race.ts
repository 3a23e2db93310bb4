import pg from 'pg';
import { codeOf } from '../errors/error-code.ts';
import { faultOf } from '../errors/postgres-error.ts';

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
 * Recognises that another process made the same table: duplicate_table, or unique_violation in a catalog. Inside a
 * transaction, Kysely reports in_failed_sql_transaction in place of either.
 */
function isMadeElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  return code === '42P07' || code === '25P02' || (code === '23505' && isOfCatalog(error));
}

function isOfCatalog(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.schema === 'pg_catalog';
}
