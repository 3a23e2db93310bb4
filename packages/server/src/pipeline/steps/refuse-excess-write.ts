import type { Operation } from '@fieldroster/contract';
import type { KnownApplication } from '../../applications/loaded-application.ts';
import type { Database } from '../../database/database.ts';
import { TooManyWaitError } from '../../errors/busy-error.ts';
import type { Deadline } from '../../time/deadline.ts';

/**
 * Refuses a write before its body is parsed if too many writes of its application wait. Under overload most writes are
 * refused, and the work on each delays the accepted ones.
 *
 * @throws {TooManyWaitError} when too many writes of the application wait
 */
export function refuseExcessWrite(
  { access }: Operation,
  { appId }: Pick<KnownApplication, 'appId'>,
  { patient }: Pick<Deadline, 'patient'>,
  database: Pick<Database, 'refusesWritesOf'>,
): void {
  if (access === 'read' || patient || !database.refusesWritesOf(appId)) return;
  throw new TooManyWaitError('too many writes of this application are waiting');
}
