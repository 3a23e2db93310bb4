import type { Kysely } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { columnTypesOf } from './column-types.ts';

/**
 * Adds how far the clock of a process is ahead of the database's. Null in the reports of earlier releases, and where the
 * two are one clock.
 */
export async function addProcessClock(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  await db.schema
    .alterTable('key_holder')
    .addColumn('clock_difference_ms', columnTypesOf(engine).int64)
    .execute();
}
