import type { Operation } from '@fieldroster/contract';
import type { KnownApplication } from '../applications/application-directory.ts';
import { type Database, DatabaseBusyError } from '../database/database.ts';
import type { Deadline } from '../deadline.ts';

/**
 * Refuses a write for which the database has no turn, before anything else is done for it. Under overload most writes
 * are refused, and what each of them costs is taken from those that are carried out.
 *
 * @throws {DatabaseBusyError} when too many writes of the application wait
 */
export function requireTurn(
  { access }: Operation,
  { appId }: Pick<KnownApplication, 'appId'>,
  { patient }: Pick<Deadline, 'patient'>,
  database: Pick<Database, 'refusesWritesOf'>,
): void {
  if (access === 'read' || patient || !database.refusesWritesOf(appId)) return;
  throw new DatabaseBusyError('too many writes of this application wait');
}
