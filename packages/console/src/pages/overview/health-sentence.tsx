import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { isFault, useCodeText } from '../../parts/code-text.ts';
import { useNumberFormat } from '../../parts/use-number-format.ts';
import { countOthers } from './count-others.ts';
import styles from './overview.module.css';
import type { Failing, Health } from './overview-queries.ts';

interface Props {
  readonly health: Health;
}

/** Says in one sentence whether all is well, or who is failing and why. */
export function HealthSentence({ health }: Props) {
  const { overview } = useTexts();
  const failing = health.failing.filter(needsAttention);
  const [worst] = failing;
  if (worst === undefined) {
    return (
      <p className={styles.sentence} role="status">
        <IconCircleCheck size={20} className={styles.well} aria-hidden="true" />
        {health.failing.length === 0 ? overview.quiet : overview.well}
      </p>
    );
  }
  const { codes, applications } = countOthers(worst, failing);
  return (
    <p className={styles.sentence} role="status">
      <IconAlertTriangle size={20} className={styles.bad} aria-hidden="true" />
      <span>
        <FailureSentence failing={worst} />
        {codes > 0 && <> {overview.moreCodes(codes)}</>}
        {applications > 0 && <> {overview.moreApplications(applications)}</>}
      </span>
    </p>
  );
}

const recentMs = 3_600_000;

/** Whether an application has failed in the last hour for a reason of its own. Strangers fail all the time. */
function needsAttention({ app_id, code, first_at, last }: Failing): boolean {
  return app_id !== '' && isFault(code) && Number(last?.at ?? first_at) > Date.now() - recentMs;
}

function FailureSentence({ failing }: { readonly failing: Failing }) {
  const { overview } = useTexts();
  const locale = useLocale();
  const codeText = useCodeText();
  const number = useNumberFormat();
  const { name, calls, code, first_at, last } = failing;
  const { meaning } = codeText(code);
  if (calls === 1 && last !== undefined) {
    return overview.failingOnce(name, timeOf(last.at, locale), meaning);
  }
  const times = overview.times(number(calls), calls === 1);
  const since = timeOf(first_at, locale);
  if (last === undefined) return overview.failing(name, times, since, meaning);
  // The first time may be the start of an hour, long before the failure.
  return overview.failingUntil(name, times, since, timeOf(last.at, locale), meaning);
}

function timeOf(at: number | bigint, locale: string): string {
  const time = new Date(Number(at));
  const isToday = time.toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(!isToday && { day: 'numeric', month: 'short' }),
  }).format(time);
}
