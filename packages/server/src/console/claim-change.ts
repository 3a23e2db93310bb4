import { createHash } from 'node:crypto';
import { consoleLimits } from '@fieldroster/contract/console';
import type { AcceptanceClaim, OperatorRecord } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { ConsoleCall } from './console-call.ts';

const uuidV7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Returns the claim of an operator's change. The change's transaction makes it, like the claim of a signed write, so a
 * copy of the request is answered with 1015. The UUID (version 7) contains the time at which the page made it, and so
 * determines when the claim expires.
 *
 * @throws {ApiError} 1001 for anything but such a UUID, 1012 for one that is too old or from the future
 */
export function claimChange(
  { changeId, requestId }: Pick<ConsoleCall, 'changeId' | 'requestId'>,
  { id }: Pick<OperatorRecord, 'id'>,
  nowMs: number,
): AcceptanceClaim {
  const [, high, low] = uuidV7.exec(changeId ?? '') ?? [];
  if (high === undefined || low === undefined) {
    throw new ApiError(1001, 'the header Change-Id must be a UUID of version 7 in lower case');
  }
  const madeAtSeconds = Math.floor(Number.parseInt(high + low, 16) / 1000);
  requireRecent(madeAtSeconds, Math.floor(nowMs / 1000));
  const signature = createHash('sha256').update(`console change\n${id}\n${changeId}`).digest();
  return { signature, requestId, expiresAtSeconds: madeAtSeconds + consoleLimits.changeAgeSecondsMax };
}

function requireRecent(madeAtSeconds: number, nowSeconds: number): void {
  const { changeAgeSecondsMax, changeAheadSecondsMax } = consoleLimits;
  const ageSeconds = nowSeconds - madeAtSeconds;
  if (ageSeconds < changeAgeSecondsMax && ageSeconds >= -changeAheadSecondsMax) return;
  throw new ApiError(
    1012,
    `the change was made ${Math.abs(ageSeconds)} seconds ${ageSeconds > 0 ? 'ago' : 'in the future'}, by the ` +
      'time in its Change-Id; reload the page, check whether it took effect, and repeat it if not',
  );
}
