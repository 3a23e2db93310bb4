import type { OperatorRecord } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ConsoleCall } from './console-call.ts';

/**
 * Refuses a change that another operator began. The tabs of a browser share one cookie: when an answer is lost and
 * somebody else signs in meanwhile, the page's next attempt comes with the session of that operator, whose name the audit
 * would record. A missing header is refused too, because only a page that sends it is safe from that.
 *
 * @throws {ApiError} 1001 without the header, 1625
 */
export function requireOwnChange(
  { method, operatorId }: Pick<ConsoleCall, 'method' | 'operatorId'>,
  { id }: Pick<OperatorRecord, 'id'>,
): void {
  if (method === 'GET' || operatorId === String(id)) return;
  if (operatorId === undefined) {
    throw new ApiError(1001, 'a change needs the header Operator-Id: the id of the operator who makes it');
  }
  throw new ApiError(
    1625,
    'another operator has signed in since this change was begun, so nothing was changed; reload the page',
  );
}
