import type { Kysely } from 'kysely';

/** Adds where a session began, so that its operator recognizes it. */
export async function addSessionOrigin(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('operator_session').addColumn('user_agent', 'text').execute();
  await db.schema.alterTable('operator_session').addColumn('address', 'text').execute();
}
