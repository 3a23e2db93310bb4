import pg from 'pg';
import { codeOf } from '../error-code.ts';
import { faultOf } from '../postgres-error.ts';

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
  for (let races = 1; ; races++) {
    try {
      return await work();
    } catch (error) {
      if (races === racesMax || !isRace(error)) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return faultOf(error) === 'conflict';
}

/**
 * duplicate_table, unique_violation in PostgreSQL's own catalogs, or in_failed_sql_transaction, which Kysely reports in
 * place of either when it makes its tables in a transaction.
 */
function isMadeElsewhere(error: unknown): boolean {
  const code = codeOf(error);
  return code === '42P07' || code === '25P02' || (code === '23505' && isOfCatalog(error));
}

function isOfCatalog(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.schema === 'pg_catalog';
}
