import type { Kysely } from 'kysely';

/** Adds who ran the command that made an operator event. */
export async function addOperatorEventActor(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('operator_event').addColumn('actor', 'text').execute();
}
