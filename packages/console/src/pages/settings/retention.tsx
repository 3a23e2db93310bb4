import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { deploymentQuery } from './deployment-queries.ts';
import styles from './settings-page.module.css';

/** How long records are kept, and the setting that changes it. */
export function Retention() {
  const { retention } = useTexts().settings;
  const query = useQuery(deploymentQuery);
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={96} />;
  const { audit_days, calls_days, failed_calls_days } = query.data;
  const rows = [
    { of: retention.audit, days: audit_days, none: retention.forever, setting: '--audit-keep' },
    { of: retention.calls, days: calls_days, none: retention.notRecorded, setting: '--calls-keep' },
    { of: retention.failures, days: failed_calls_days, none: retention.forever, setting: undefined },
  ];
  return (
    <dl className={styles.facts}>
      {rows.map(({ of, days, none, setting }) => (
        <div key={of} className={styles.fact}>
          <dt>{of}</dt>
          <dd>
            {Number(days) === 0 ? none : retention.days(Number(days))}
            {setting === undefined ? (
              <span className={styles.fixed}>{retention.fixed}</span>
            ) : (
              <code className={styles.setting}>{setting}</code>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
