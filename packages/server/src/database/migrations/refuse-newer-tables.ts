import type { Session } from '../queries/session.ts';
import { SchemaError, unknownMigrations } from './migrate.ts';
import { newerTables } from './schema-messages.ts';

/**
 * Refuses work that must know every table and column, although this release can serve the tables.
 *
 * @param consequence what the work would do to what a newer release has added, as the end of a sentence
 * @throws {SchemaError} when a newer release has changed the tables
 */
export async function refuseNewerTables(session: Session, consequence: string): Promise<void> {
  const newer = await unknownMigrations(session);
  if (newer.length > 0) throw new SchemaError(newerTables(newer, consequence));
}
