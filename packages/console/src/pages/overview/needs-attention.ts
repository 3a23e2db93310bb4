import { presentTime } from '../../api/server-clock.ts';
import { isFault } from '../../parts/values/code-text.ts';
import type { Failing } from './overview-queries.ts';

const recentMs = 3_600_000;

type Entry = Pick<Failing, 'app_id' | 'revoked' | 'code' | 'first_at' | 'last'>;

/**
 * Returns whether an application has failed in the last hour for a reason of its own. Strangers fail all the time, and a
 * revoked application need not work.
 */
export function needsAttention({ app_id, revoked, code, first_at, last }: Entry): boolean {
  const isRecent = Number(last?.at ?? first_at) > presentTime() - recentMs;
  return app_id !== '' && !revoked && isFault(code) && isRecent;
}
