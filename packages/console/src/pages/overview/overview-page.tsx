import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { historyRanges } from '../../api/history-ranges.ts';
import { useTexts } from '../../i18n/texts.ts';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { CallHistoryCard } from './call-history-card.tsx';
import { EntryFigures } from './entry-figures.tsx';
import { FailingList } from './failing-list.tsx';
import { FirstSteps, isEmpty } from './first-steps.tsx';
import { HealthSentence } from './health-sentence.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { needsAttention } from './needs-attention.ts';
import styles from './overview.module.css';
import { healthQuery } from './overview-queries.ts';

/** Shows whether the directory is healthy, and which callers fail. */
export function OverviewPage() {
  const { overview } = useTexts();
  const tenant = useTenant();
  const navigate = useNavigate();
  const search = useSearch({ from: '/inside/t/$tenant/' });
  const { range = 'hour' } = search;
  const health = useQuery(healthQuery(tenant));
  return (
    <>
      <PageHeader title={overview.title}>
        <SegmentedControl
          size="xs"
          aria-label={overview.range}
          data={historyRanges.map((value) => ({ value, label: overview.ranges[value] }))}
          value={range}
          onChange={(value) => {
            const next = historyRanges.find((word) => word === value);
            navigate({
              to: '.',
              search: { ...search, ...(next !== undefined && { range: next }) },
              replace: true,
            });
          }}
        />
      </PageHeader>
      <LoadState query={health} height={160} />
      {health.data !== undefined && (
        <Stack gap="md">
          {/* Nothing can be well yet in an empty directory. */}
          {isEmpty(health.data) && <FirstSteps />}
          {(!isEmpty(health.data) || health.data.failing.some(needsAttention)) && (
            <HealthSentence health={health.data} />
          )}
          <EntryFigures health={health.data} />
          <CallHistoryCard range={range} by={search.by ?? 'code'} />
          <div className={styles.columns}>
            <FailingList failing={health.data.failing} />
            <LatestChanges />
          </div>
        </Stack>
      )}
    </>
  );
}
