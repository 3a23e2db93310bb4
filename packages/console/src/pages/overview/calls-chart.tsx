import { presentTime } from '../../api/server-clock.ts';
import '@mantine/charts/styles.layer.css';
import { LineChart } from '@mantine/charts';
import { useMemo } from 'react';
import type { CallHistory } from '../../api/call-history-query.ts';
import { useLocale, useTexts } from '../../i18n/texts.ts';
import { useNumberFormat } from '../../parts/values/use-number-format.ts';
import { countTicks, timeTicks } from './axis-ticks.ts';
import type { Series } from './call-series.ts';
import { lineShifts } from './line-shifts.ts';

interface Props {
  readonly history: CallHistory;
  readonly series: readonly Series[];
}

/** Wide enough for a gap between two lines. */
const shiftPx = 2;

/** Calls per minute as lines. The table below it says the same in numbers. */
export default function CallsChart({ history, series }: Props) {
  const { overview } = useTexts();
  const locale = useLocale();
  const number = useNumberFormat({ maximumFractionDigits: 1 });
  const shifts = useMemo(() => shiftsByKey(series), [series]);
  const { rows, times, counts } = useMemo(
    () => toRows(history, series, { shifts, locale }),
    [history, series, shifts, locale],
  );
  return (
    <figure aria-label={overview.chart}>
      <figcaption>{overview.chart}</figcaption>
      <LineChart
        h={220}
        data={rows}
        dataKey="at"
        series={series.map(toLine)}
        curveType="linear"
        withDots={false}
        strokeWidth={1.5}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        yAxisLabel=""
        // Room for the upper half of the top label, and for lines that are drawn apart.
        lineChartProps={{ margin: { top: 12, right: 12 } }}
        xAxisProps={{ ticks: times, minTickGap: 16, interval: 'equidistantPreserveStart' }}
        yAxisProps={{ width: 44, ticks: counts, domain: [0, counts.at(-1) ?? 1] }}
        lineProps={({ name }) => ({ isAnimationActive: false, transform: shifted(shifts.get(name) ?? 0) })}
        connectNulls={false}
        // Where a line is not drawn, its value is zero.
        tooltipProps={{ filterNull: false }}
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

function shiftsByKey(series: readonly Series[]): ReadonlyMap<string, number> {
  const shifts = lineShifts(series.map(({ byPoint }) => byPoint));
  return new Map(series.map(({ key }, index) => [key, shifts[index] ?? 0]));
}

/** To the side as well: the flanks of a short peak are so steep that a shift upwards alone would leave them together. */
function shifted(steps: number): string {
  return `translate(${steps * shiftPx} ${-steps * shiftPx})`;
}

interface Drawing {
  readonly shifts: ReadonlyMap<string, number>;
  readonly locale: string;
}

function toRows(
  { points, step_seconds }: CallHistory,
  series: readonly Series[],
  { shifts, locale }: Drawing,
) {
  const format = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(points.length > 100 && { weekday: 'short' }),
  });
  const earlier = points.slice(0, -1);
  const hasEarlier = series.some(({ byPoint }) => earlier.some((_, point) => (byPoint[point] ?? 0) > 0));
  // The current minute is not over, so it would look like a drop. Somebody's first calls appear at once, though.
  const shown = step_seconds === 60 && hasEarlier ? earlier : points;
  const labels = shown.map(({ at }) => format.format(new Date(Number(at))));
  const values = shown.map(({ at }, point) => {
    const elapsedMinutes = (presentTime() - Number(at)) / 60_000;
    const minutes = Math.max(1, Math.min(step_seconds / 60, elapsedMinutes));
    return series.map(({ byPoint }) => (byPoint[point] ?? 0) / minutes);
  });
  const ticks = timeTicks(
    shown.map(({ at }) => Number(at)),
    step_seconds,
  );
  return {
    rows: values.map((ofPoint, point) => ({
      at: labels[point],
      ...Object.fromEntries(
        series.map(({ key, byPoint }, index) => {
          // A shifted line would float above zero where it has nothing to show.
          const isDrawn = shifts.get(key) === 0 || isNearCalls(byPoint, point);
          return [key, isDrawn ? ofPoint[index] : null];
        }),
      ),
    })),
    times: ticks.flatMap((index) => labels[index] ?? []),
    counts: countTicks(Math.max(...values.flat())),
  };
}

function isNearCalls(byPoint: readonly number[], point: number): boolean {
  return byPoint.slice(Math.max(0, point - 1), point + 2).some((calls) => calls > 0);
}
