import { presentTime } from '../../api/server-clock.ts';
import { isFault } from '../../parts/values/code-text.ts';
import type { Failing } from './overview-queries.ts';

const recentMs = 3_600_000;

const tooManyRequests = 1429;

type Entry = Pick<Failing, 'app_id' | 'revoked' | 'code' | 'operation' | 'calls' | 'first_at' | 'last'>;

/**
 * Returns whether an application has failed in the last hour for a reason of its own. Strangers fail all the time, and a
 * revoked application need not work.
 */
export function needsAttention({ app_id, revoked, first_at, last, ...call }: Entry): boolean {
  const isRecent = Number(last?.at ?? first_at) > presentTime() - recentMs;
  return app_id !== '' && !revoked && isFault(call.code) && !isWrongPasswords(call) && isRecent;
}

/** Ten wrong passwords of a user get the code of a rate limit. Which of the two is known once the calls are counted. */
function isWrongPasswords({ code, operation, calls }: Pick<Entry, 'code' | 'operation' | 'calls'>): boolean {
  return code === tooManyRequests && (operation === 'check-password' || calls === 0);
}
