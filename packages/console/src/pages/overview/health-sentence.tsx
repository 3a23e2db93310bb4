import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type Texts, useLocale, useTexts } from '../../i18n/texts.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { countOthers } from './count-others.ts';
import { needsAttention } from './needs-attention.ts';
import styles from './overview.module.css';
import type { Health } from './overview-queries.ts';
import { sayFailure } from './say-failure.ts';

interface Props {
  readonly health: Health;
}

/** Says why nothing is to be done although calls may have failed, which the page shows below. */
function sayWell(failing: Health['failing'], overview: Texts['overview']): string {
  if (failing.length === 0) return overview.quiet;
  return failing.every(({ app_id }) => app_id === '') ? overview.strangersOnly : overview.well;
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
  if (worst === undefined) {
    return (
      <p className={styles.sentence} role="status">
        <IconCircleCheck size="1.25rem" className={styles.well} aria-hidden="true" />
        {sayWell(health.failing, overview)}
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
