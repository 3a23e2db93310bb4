import { SegmentedControl, Skeleton, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { type CallHistory, callHistoryQuery } from '../../api/call-history-query.ts';
import type { HistoryRange } from '../../api/history-ranges.ts';
import { useTexts } from '../../i18n/texts.ts';
import { lazyPart } from '../../parts/loading/lazy-part.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { hasNothingToShow } from '../../parts/notices/has-nothing-to-show.ts';
import { useTenant } from '../../parts/use-tenant.ts';
import { Latency, LatencyName } from '../../parts/values/latency.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { CallBreakdown } from './call-breakdown.tsx';
import { useSeries } from './call-series.ts';
import styles from './overview.module.css';

// The charts are larger than the rest of the page, which does not wait for them.
const CallsChart = lazyPart(async () => (await import('./calls-chart.tsx')).default);

interface Props {
  readonly range: HistoryRange;
  readonly by: 'code' | 'operation';
}

/** The calls over time: totals, a chart, and a table of its lines. */
export function CallHistoryCard({ range, by }: Props) {
  const { overview } = useTexts();
  const tenant = useTenant();
  const query = useQuery(callHistoryQuery(tenant, range));
  if (hasNothingToShow(query)) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return <Skeleton height={360} />;
  const hasCalls = query.data.codes.length > 0;
  return (
    <section className={styles.card} aria-label={overview.chart}>
      <div className={styles.head}>
        <CallFigures history={query.data} range={range} />
        {hasCalls && <Breakdown by={by} />}
      </div>
      {hasCalls ? (
        <Parts history={query.data} by={by} />
      ) : (
        <div className={styles.nothing}>
          <Text fw={600}>{overview.noCalls}</Text>
          <Text c="dimmed">{overview.noCallsHelp}</Text>
        </div>
      )}
    </section>
  );
}

function Breakdown({ by }: Pick<Props, 'by'>) {
  const { overview } = useTexts();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={overview.by}
      data={[
        { value: 'code', label: overview.byCode },
        { value: 'operation', label: overview.byOperation },
      ]}
      value={by}
      onChange={(value) =>
        navigate({
          to: '.',
          search: ({ by: _, ...rest }: Record<string, unknown>) =>
            value === 'operation' ? { ...rest, by: 'operation' as const } : rest,
          replace: true,
        })
      }
    />
  );
}

interface PartsProps extends Pick<Props, 'by'> {
  readonly history: CallHistory;
}

function Parts({ history, by }: PartsProps) {
  const series = useSeries(history, by);
  return (
    <>
      <Suspense fallback={<Skeleton height={220} />}>
        <CallsChart history={history} series={series} />
      </Suspense>
      <CallBreakdown history={history} series={series} by={by} />
    </>
  );
}

interface FiguresProps {
  readonly history: CallHistory;
  readonly range: HistoryRange;
}

function CallFigures({ history, range }: FiguresProps) {
  const { overview } = useTexts();
  const number = useNumberFormat();
  const percent = useNumberFormat({ style: 'percent', maximumFractionDigits: 1 });
  const calls = history.codes.reduce((sum, entry) => sum + entry.calls, 0);
  const failed = history.codes.reduce((sum, entry) => sum + (entry.code === 0 ? 0 : entry.calls), 0);
  return (
    <dl className={styles.callFigures}>
      <div>
        <dt>{overview.calls}</dt>
        <dd>
          {number(calls)} <Change now={calls} before={history.before.calls} range={range} />
        </dd>
      </div>
      <div>
        <dt>{overview.failed}</dt>
        <dd className={failed > 0 ? styles.bad : ''}>
          {number(failed)} {calls > 0 && <Quiet>{percent(failed / calls)}</Quiet>}
        </dd>
      </div>
      <div>
        <dt>
          <LatencyName of="p50" />
        </dt>
        <dd>
          <Latency calls={calls} ms={history.p50_ms} />
        </dd>
      </div>
      <div>
        <dt>
          <LatencyName of="p99" />
        </dt>
        <dd>
          <Latency calls={calls} ms={history.p99_ms} />
        </dd>
      </div>
    </dl>
  );
}

interface ChangeProps {
  readonly now: number;
  readonly before: number;
  readonly range: HistoryRange;
}

/** Says how much more or less it is than in the same time before. */
function Change({ now, before, range }: ChangeProps) {
  const { overview } = useTexts();
  const percent = useNumberFormat({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  if (before === 0) return null;
  return (
    <Tooltip label={overview.before[range]}>
      <span>
        <Quiet>{percent((now - before) / before)}</Quiet>
      </span>
    </Tooltip>
  );
}

function Quiet({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text span size="sm" c="dimmed" fw={400}>
      {children}
    </Text>
  );
}
