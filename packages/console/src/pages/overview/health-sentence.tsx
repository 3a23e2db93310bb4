import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { presentTime } from '../../api/change-id.ts';
import { type Texts, useLocale, useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { isFault, useCodeText } from '../../parts/values/code-text.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { countOthers } from './count-others.ts';
import styles from './overview.module.css';
import type { Failing, Health } from './overview-queries.ts';

interface Props {
  readonly health: Health;
}

/** Says in one sentence whether all is well, or who is failing and why. */
export function HealthSentence({ health }: Props) {
  const { general, overview } = useTexts();
  const failureText = useFailureText();
  const tenant = String(useTenant());
  const failing = health.failing.filter(needsAttention);
  const [worst] = failing;
  if (worst === undefined) {
    return (
      <p className={styles.sentence} role="status">
        <IconCircleCheck size="1.25rem" className={styles.well} aria-hidden="true" />
        {health.failing.length === 0 ? overview.quiet : overview.well}
      </p>
    );
  }
  const failed = health.failing.filter(({ app_id }) => app_id === worst.app_id);
  const { codes, applications } = countOthers(worst, failing);
  return (
    <p className={styles.sentence} role="status">
      <IconAlertTriangle size="1.25rem" className={styles.bad} aria-hidden="true" />
      <span>
        <span>
          {general.sentences([
            failureText(worst, failed),
            ...(codes > 0 ? [overview.moreCodes(codes)] : []),
            ...(applications > 0 ? [overview.moreApplications(applications)] : []),
          ])}
        </span>
        {general.sentences(['', ''])}
        <Link
          className={styles.toRequests}
          to="/t/$tenant/requests"
          params={{ tenant }}
          search={{ app: worst.app_id, code: worst.code }}
        >
          {overview.showRequests}
        </Link>
      </span>
    </p>
  );
}

const recentMs = 3_600_000;

/** Returns whether an application has failed in the last hour for a reason of its own. Strangers fail all the time. */
function needsAttention({ app_id, code, first_at, last }: Failing): boolean {
  return app_id !== '' && isFault(code) && Number(last?.at ?? first_at) > presentTime() - recentMs;
}

/** Returns a function that says how many calls of an application failed, how many of them with one code, and when. */
function useFailureText(): (worst: Failing, failed: readonly Failing[]) => string {
  const { overview } = useTexts();
  const locale = useLocale();
  const codeText = useCodeText();
  const number = useNumberFormat();
  return (worst, failed) => {
    const { name, calls, all_calls, code } = worst;
    const failedCalls = failed.reduce((sum, entry) => sum + entry.calls, 0);
    const total = overview.failedOf(name, number(failedCalls), number(all_calls));
    const part = failedCalls === calls ? undefined : number(calls);
    return overview.failing(total, part, spanOf(worst, locale, overview), codeText(code).meaning);
  };
}

const hourMs = 3_600_000;

/**
 * Says from when to when calls failed, as exactly as the server knows it. The server counts by whole hours, except for
 * the minutes before the first whole hour of the day. A start on the hour therefore means any time within that hour.
 */
function spanOf({ first_at, last, calls }: Failing, locale: string, overview: Texts['overview']): string {
  const start = timeOf(first_at, locale);
  const from = Number(first_at) % hourMs === 0 ? overview.about(start) : start;
  if (last === undefined) return overview.startingAt(from);
  const end = timeOf(last.at, locale);
  return calls === 1 || start === end ? overview.at(end) : overview.between(from, end);
}

const clock = { hour: '2-digit', minute: '2-digit' } as const;

function clockTimeOf(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, clock).format(new Date(at));
}

function timeOf(at: number | bigint, locale: string): string {
  const time = new Date(Number(at));
  const isToday = time.toDateString() === new Date().toDateString();
  if (isToday) return clockTimeOf(Number(at), locale);
  return new Intl.DateTimeFormat(locale, { ...clock, day: 'numeric', month: 'short' }).format(time);
}
