import { useMemo } from 'react';
import type { CallHistory } from '../../api/call-history-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useCodeText } from '../../parts/values/code-text.ts';
import { type LineStyle, restStyle, styleOfCode, styleOfOperation } from './line-styles.ts';

/** One line of the chart, and one row of the table below it. */
export interface Series extends LineStyle {
  readonly key: string;
  readonly label: string;
  readonly calls: number;
  readonly byPoint: readonly number[];
}

/** More lines than this cannot be told apart; the least frequent ones become one. */
const linesMax = 4;

/** Returns the lines of the chart: the most frequent ones, and all others as one. */
export function useSeries(history: CallHistory, by: 'code' | 'operation'): Series[] {
  const { overview } = useTexts();
  const codeText = useCodeText();
  return useMemo(() => {
    if (by === 'operation') {
      const named = history.operations.map(({ operation, calls, by_point }) => ({
        ...styleOfOperation(operation),
        key: operation,
        label: operation || overview.noOperation,
        calls,
        byPoint: by_point,
      }));
      return gathered(named, overview.others);
    }
    const named = history.codes.map(({ code, calls, by_point }) => ({
      ...styleOfCode(code),
      key: String(code),
      label: code === 0 ? overview.succeeded : `${code} ${codeText(code).meaning}`,
      calls,
      byPoint: by_point,
    }));
    const [good, bad] = [named.filter(({ key }) => key === '0'), named.filter(({ key }) => key !== '0')];
    return [...good, ...gathered(bad, overview.others)];
  }, [history, by, overview, codeText]);
}

/** Returns the most frequent lines, and all others as one. */
function gathered(all: readonly Series[], others: string): Series[] {
  const [shown, left] = [all.slice(0, linesMax), all.slice(linesMax)];
  if (left.length === 0) return shown;
  const byPoint =
    left[0]?.byPoint.map((_, point) => sum(left.map((entry) => entry.byPoint[point] ?? 0))) ?? [];
  const calls = sum(left.map((entry) => entry.calls));
  return [...shown, { ...restStyle, key: 'others', label: others, calls, byPoint }];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
