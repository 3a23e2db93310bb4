import { presentTime } from '../../api/server-clock.ts';
import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import { useMemo } from 'react';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import type { Series } from './call-series.ts';
import type { CallHistory } from './overview-queries.ts';

interface Props {
  readonly history: CallHistory;
  readonly series: readonly Series[];
}

/** Calls per minute as lines. The table below it says the same in numbers. */
export default function CallsChart({ history, series }: Props) {
  const { overview } = useTexts();
  const locale = useLocale();
  const number = useNumberFormat({ maximumFractionDigits: 1 });
  const data = useMemo(() => toRows(history, series, locale), [history, series, locale]);
  return (
    <figure aria-label={overview.chart}>
      <figcaption>{overview.chart}</figcaption>
      <LineChart
        h={220}
        data={data}
        dataKey="at"
        series={series.map(toLine)}
        curveType="linear"
        withDots={false}
        strokeWidth={1.5}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        yAxisLabel=""
        // Room for the upper half of the top label.
        lineChartProps={{ margin: { top: 8 } }}
        xAxisProps={{ minTickGap: 40, interval: 'equidistantPreserveStart' }}
        yAxisProps={{ width: 44, allowDecimals: false }}
        lineProps={{ isAnimationActive: false }}
        tooltipAnimationDuration={0}
        valueFormatter={(value) => number(value)}
        unit=""
      />
    </figure>
  );
}

function toLine({ key, label, color, dashes }: Series) {
  return { name: key, label, color, ...(dashes !== undefined && { strokeDasharray: dashes }) };
}

function toRows({ points, step_seconds }: CallHistory, series: readonly Series[], locale: string) {
  const format = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(points.length > 100 && { weekday: 'short' }),
  });
  const earlier = points.slice(0, -1);
  const hasEarlier = series.some(({ byPoint }) => earlier.some((_, point) => (byPoint[point] ?? 0) > 0));
  // The current minute is not over, so it would look like a drop. Somebody's first calls appear at once, though.
  const shown = step_seconds === 60 && hasEarlier ? earlier : points;
  return shown.map(({ at }, point) => {
    const elapsedMinutes = (presentTime() - Number(at)) / 60_000;
    const minutes = Math.max(1, Math.min(step_seconds / 60, elapsedMinutes));
    return {
      at: format.format(new Date(Number(at))),
      ...Object.fromEntries(series.map(({ key, byPoint }) => [key, (byPoint[point] ?? 0) / minutes])),
    };
  });
}
