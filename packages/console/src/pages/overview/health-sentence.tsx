import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { countOthers } from './count-others.ts';
import { needsAttention } from './needs-attention.ts';
import styles from './overview.module.css';
import type { Failing, Health } from './overview-queries.ts';
import { sayFailure } from './say-failure.ts';

interface Props {
  readonly health: Health;
}

/** Says in one sentence whether all is well, or who is failing and why. */
export function HealthSentence({ health }: Props) {
  const { general, overview } = useTexts();
  const locale = useLocale();
  const codeText = useCodeText();
  const number = useNumberFormat();
  const tenant = String(useTenant());
  const failing = health.failing.filter(needsAttention);
  const [worst] = failing;
  if (health.failing.length > 0 && health.failing.every(isOfStranger))
    return <StrangersFailed failing={health.failing} />;
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
          {[
            sayFailure(worst, failed, { overview, locale, number, meaning: codeText(worst.code).meaning }),
            ...(codes > 0 ? [overview.moreCodes(codes)] : []),
            ...(applications > 0 ? [overview.moreApplications(applications)] : []),
          ].join(general.sentenceGap)}
        </span>
        {general.sentenceGap}
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

function isOfStranger({ app_id }: Failing): boolean {
  return app_id === '';
}

/** Strangers fail all the time, but so does a new integration with a mistyped APPID. */
function StrangersFailed({ failing }: Pick<Health, 'failing'>) {
  const { general, overview } = useTexts();
  const tenant = String(useTenant());
  const calls = failing.reduce((sum, entry) => sum + entry.calls, 0);
  const [first, ...others] = failing;
  return (
    <p className={styles.sentence} role="status">
      <IconInfoCircle size="1.25rem" className={styles.neutral} aria-hidden="true" />
      <span>
        {overview.strangersOnly(calls)}
        {general.sentenceGap}
        <Link
          className={styles.toRequests}
          to="/t/$tenant/requests"
          params={{ tenant }}
          search={first !== undefined && others.length === 0 ? { code: first.code } : {}}
        >
          {overview.showRequests}
        </Link>
      </span>
    </p>
  );
}
