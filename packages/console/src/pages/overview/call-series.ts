import { useMemo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useCodeText } from '../../parts/code-text.ts';
import type { CallHistory } from './overview-queries.ts';

/** One line of the chart, and one row of the table below it. */
export interface Series {
  readonly key: string;
  readonly label: string;
  /** A custom property of the theme. */
  readonly color: string;
  readonly calls: number;
  readonly byPoint: readonly number[];
}

const success = 'var(--fr-accent)';
const failures = ['var(--fr-danger)', 'var(--fr-warning)', 'var(--fr-info)', 'var(--fr-plum)'];
// The danger colour is for failures only.
const operations = [success, 'var(--fr-info)', 'var(--fr-warning)', 'var(--fr-plum)'];
const rest = 'var(--fr-quiet)';

/** Returns the lines of the chart: the most frequent ones, and all others as one. */
export function useSeries(history: CallHistory, by: 'code' | 'operation'): Series[] {
  const { overview } = useTexts();
  const codeText = useCodeText();
  return useMemo(() => {
    if (by === 'operation') {
      const named = history.operations.map(({ operation, calls, by_point }) => ({
        key: operation,
        label: operation || overview.noOperation,
        calls,
        byPoint: by_point,
      }));
      return coloured(named, operations, overview.others);
    }
    const named = history.codes.map(({ code, calls, by_point }) => ({
      key: String(code),
      label: code === 0 ? overview.succeeded : `${code} ${codeText(code).meaning}`,
      calls,
      byPoint: by_point,
    }));
    const [good, bad] = [named.filter(({ key }) => key === '0'), named.filter(({ key }) => key !== '0')];
    return [...coloured(good, [success], overview.others), ...coloured(bad, failures, overview.others)];
  }, [history, by, overview, codeText]);
}

type Uncoloured = Omit<Series, 'color'>;

function coloured(all: readonly Uncoloured[], colors: readonly string[], others: string): Series[] {
  const shown = all
    .slice(0, colors.length)
    .map((entry, index) => ({ ...entry, color: colors[index] ?? rest }));
  const left = all.slice(colors.length);
  if (left.length === 0) return shown;
  const byPoint =
    left[0]?.byPoint.map((_, point) => sum(left.map((entry) => entry.byPoint[point] ?? 0))) ?? [];
  return [
    ...shown,
    { key: 'others', label: others, color: rest, calls: sum(left.map(({ calls }) => calls)), byPoint },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
