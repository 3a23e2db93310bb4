import { ApiError } from '../errors/api-error.ts';

/** Calls that one operator may make in a second. A page of the console makes a handful. */
const perSecond = 100;

/**
 * Makes the limit of calls per operator, in this process. It stops a page that runs wild; guessing passwords has limits
 * of its own.
 *
 * @param now Unix milliseconds
 */
export function operatorLimit(now: () => number): (operatorId: bigint) => void {
  let second = 0;
  let calls = new Map<bigint, number>();
  return (operatorId) => {
    const current = Math.floor(now() / 1000);
    if (current !== second) [second, calls] = [current, new Map()];
    const count = (calls.get(operatorId) ?? 0) + 1;
    calls.set(operatorId, count);
    if (count <= perSecond) return;
    throw new ApiError(1429, { key: 'manyCalls', values: { perSecond } }, { retryAfterSeconds: 1 });
  };
}
