import { SegmentedControl, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { callConsole, type OwnResult } from '../../api/call.ts';
import { type HistoryRange, historyRanges } from '../../api/history-ranges.ts';
import { presentTime } from '../../api/server-clock.ts';
import { useTexts } from '../../i18n/texts.ts';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { Latency, LatencyName } from '../../parts/values/latency.tsx';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import styles from './application-calls.module.css';

interface Props {
  readonly appId: string;
}

interface CallsProps extends Props {
  /** Unix milliseconds; `undefined` if it was never used. */
  readonly usedAtMs: number | undefined;
}

/** Servers write their counts of calls every minute, and the page asks for them a few times in that time. */
const countedWithinMs = 90_000;

/** The operations that an application calls, and how often each fails. */
export function ApplicationCalls({ appId, usedAtMs }: CallsProps) {
  const { applications, overview } = useTexts();
  const tenant = useTenant();
  const [range, setRange] = useState<HistoryRange>('day');
  const query = useQuery({
    queryKey: ['application-calls', String(tenant), appId, range],
    refetchInterval: 15_000,
    queryFn: ({ signal }) =>
      callConsole('queryApplicationCalls', { app_id: appId, range }, tenant, { signal }),
  });
  const isUncounted = usedAtMs !== undefined && presentTime() - usedAtMs < countedWithinMs;
  return (
    <section>
      <div className={styles.head}>
        <h3>{applications.calls}</h3>
        <SegmentedControl
          size="xs"
          aria-label={overview.range}
          data={historyRanges.map((value) => ({ value, label: overview.ranges[value] }))}
          value={range}
          onChange={(value) => setRange(historyRanges.find((word) => word === value) ?? range)}
        />
      </div>
      <LoadState query={query} height={120} />
      {query.data?.totals.length === 0 && (
        <Text c="dimmed">{isUncounted ? applications.callsToCome : overview.noCalls}</Text>
      )}
      {query.data !== undefined && query.data.totals.length > 0 && (
        <Totals appId={appId} totals={query.data.totals} />
      )}
    </section>
  );
}

interface TotalsProps extends Props {
  readonly totals: OwnResult<'queryApplicationCalls'>['totals'];
}

function Totals({ appId, totals }: TotalsProps) {
  const { overview } = useTexts();
  const tenant = String(useTenant());
  const number = useNumberFormat();
  const codeText = useCodeText();
  return (
    <Table className={`${styles.table} ${styles.totals}`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{overview.operation}</Table.Th>
          <Table.Th>{overview.code}</Table.Th>
          <Table.Th>{overview.calls}</Table.Th>
          <Table.Th>
            <LatencyName of="p99" />
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {totals.map(({ operation, code, calls, p99_ms }) => (
          <Table.Tr key={`${operation} ${code}`}>
            <Table.Td>{operation || overview.noOperation}</Table.Td>
            <Table.Td>
              {code === 0 ? (
                overview.succeeded
              ) : (
                <Link
                  to="/t/$tenant/requests"
                  params={{ tenant }}
                  search={{ app: appId, code, ...(operation !== '' && { operation }) }}
                >
                  {code} {codeText(code).meaning}
                </Link>
              )}
            </Table.Td>
            <Table.Td>{number(calls)}</Table.Td>
            <Table.Td>
              <Latency calls={calls} ms={p99_ms} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
