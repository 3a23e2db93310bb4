import type { Kysely } from 'kysely';
import type { Engine } from '../queries/session.ts';
import { createBookkeepingTables } from './steps/002-bookkeeping.ts';
import { createOperatorSessionTable } from './steps/007-operators.ts';
import { createEntryCountTable } from './steps/009-entry-count.ts';
import { addSessionOrigin } from './steps/013-session-origin.ts';
import { createSessionEndTable } from './steps/014-session-end.ts';
import { type ColumnTypes, columnTypesOf } from './steps/column-types.ts';
import { createPasswordFailureTable } from './steps/write-tables.ts';

/** Creates tables of the bookkeeping. It may only add to them. */
export type BookkeepingStep = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

/**
 * The tables of the embedded database's second file, in order. A released step is never edited. PostgreSQL runs the
 * same steps as migrations of the database, through `onPostgres`.
 */
export const bookkeepingSteps: Readonly<Record<string, BookkeepingStep>> = {
  '001-password-failure': createPasswordFailureTable,
  '002-bookkeeping': createBookkeepingTables,
  '003-operator-session': createOperatorSessionTable,
  '004-entry-count': createEntryCountTable,
  '005-session-origin': addSessionOrigin,
  '006-session-end': createSessionEndTable,
};

/** Turns a step into a migration of the database, which changes nothing on the embedded engine. */
export function onPostgres(
  step: BookkeepingStep,
): (db: Kysely<unknown>, engine: Engine['name']) => Promise<void> {
  return async (db, engine) => {
    if (engine === 'postgres') await step(db, columnTypesOf(engine));
  };
}
