import { presentTime } from '../../api/server-clock.ts';
import type { Texts } from '../../i18n/texts.ts';
import type { Failing } from './overview-queries.ts';

interface Words {
  readonly overview: Texts['overview'];
  readonly locale: string;
  /** Says what the code of the worst failure means. */
  readonly meaning: string;
  readonly number: (count: number) => string;
}

/**
 * Says how many calls of an application failed, how many of them with one code, and when. Says only when the last one
 * failed if the server has not counted them yet.
 */
export function sayFailure(
  worst: Failing,
  failed: readonly Failing[],
  { overview, locale, meaning, number }: Words,
): string {
  const { name, calls, all_calls, first_at, last } = worst;
  if (calls === 0) return overview.failedAt(name, timeOf(last?.at ?? first_at, locale), meaning);
  const failedCalls = failed.reduce((sum, entry) => sum + entry.calls, 0);
  const total = overview.failedOf(name, number(failedCalls), number(all_calls));
  const part = failedCalls === calls ? undefined : number(calls);
  return overview.failing(total, part, spanOf(worst, locale, overview), meaning);
}

const hourMs = 3_600_000;

/**
 * Says from when to when calls failed, as exactly as the server knows it. The server counts by whole hours, except for
 * the minutes before the first whole hour of the day. A start on the hour therefore means any time within that hour.
 */
function spanOf({ first_at, last, calls }: Failing, locale: string, overview: Texts['overview']): string {
  const start = timeOf(first_at, locale);
  if (last === undefined) {
    const isHour = Number(first_at) % hourMs === 0;
    return overview.startingAt(isHour ? overview.about(start) : start);
  }
  const end = timeOf(last.at, locale);
  return calls === 1 || start === end ? overview.at(end) : overview.between(start, end);
}

const clock = { hour: '2-digit', minute: '2-digit' } as const;

function timeOf(at: number | bigint, locale: string): string {
  const time = new Date(Number(at));
  const isToday = time.toDateString() === new Date(presentTime()).toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(locale, { ...clock, ...day }).format(time);
}
