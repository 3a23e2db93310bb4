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
  const { overview } = useTexts();
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
  const { codes, applications } = countOthers(worst, failing);
  return (
    <p className={styles.sentence} role="status">
      <IconAlertTriangle size="1.25rem" className={styles.bad} aria-hidden="true" />
      <span>
        <span>
          <FailureSentence failing={worst} />
          {codes > 0 && <> {overview.moreCodes(codes)}</>}
          {applications > 0 && <> {overview.moreApplications(applications)}</>}
        </span>{' '}
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

function FailureSentence({ failing }: { readonly failing: Failing }) {
  const { overview } = useTexts();
  const locale = useLocale();
  const codeText = useCodeText();
  const number = useNumberFormat();
  const { name, calls, code, first_at, last } = failing;
  const { meaning } = codeText(code);
  const lastTime = last && overview.at(timeOf(last.at, locale));
  const firstTime = firstTimeOf(first_at, locale, overview);
  if (calls === 1) return overview.failingOnce(name, lastTime ?? firstTime, meaning);
  if (lastTime === undefined) return overview.failing(name, number(calls), firstTime, meaning);
  return overview.failingUntil(name, number(calls), firstTime, lastTime, meaning);
}

const hourMs = 3_600_000;

/**
 * Says when the first call failed, as exactly as the server knows it. The server counts by whole hours, except for the
 * minutes before the first whole hour of the day. A start on the hour therefore means any time within that hour.
 */
function firstTimeOf(firstAt: Failing['first_at'], locale: string, overview: Texts['overview']): string {
  const start = Number(firstAt);
  if (start % hourMs !== 0) return overview.at(timeOf(start, locale));
  return overview.between(timeOf(start, locale), clockTimeOf(start + hourMs, locale));
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
