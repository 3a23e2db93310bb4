import { type ComparedLine, type Difference, firstDifference, showInvisible } from '@fieldroster/signing';

const gap = '  ';

/**
 * Shows both strings side by side, or one below the other if `columns` are too few, and marks the first
 * difference.
 */
export function showComparison(lines: readonly ComparedLine[], columns: number): string {
  const rows = lines.map(({ name, expected, actual }) => ({
    name,
    expected: shownLine(expected),
    actual: shownLine(actual),
  }));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length), 'first difference'.length);
  const expectedWidth = Math.max(...rows.map(({ expected }) => expected.length), 'expected'.length);
  const actualWidth = Math.max(...rows.map(({ actual }) => actual.length), 'actual'.length);
  const difference = firstDifference(lines);
  const widths = { name: nameWidth, expected: expectedWidth };
  return nameWidth + expectedWidth + actualWidth + 2 * gap.length <= columns
    ? sideBySide(rows, difference, widths)
    : stacked(rows, difference);
}

interface Row {
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
}

interface Widths {
  readonly name: number;
  readonly expected: number;
}

function sideBySide(rows: readonly Row[], difference: Difference | undefined, widths: Widths): string {
  const line = (name: string, expected: string, actual: string) =>
    `${name.padEnd(widths.name)}${gap}${expected.padEnd(widths.expected)}${gap}${actual}`.trimEnd();
  const shown = rows.flatMap(({ name, expected, actual }, index) => {
    const row = line(name, expected, actual);
    if (difference?.line !== index + 1) return [row];
    const mark = markBelow(expected, actual);
    return [row, line('first difference', mark, mark)];
  });
  return `${[line('', 'expected', 'actual'), ...shown].join('\n')}\n`;
}

function stacked(rows: readonly Row[], difference: Difference | undefined): string {
  const shown = rows.flatMap(({ name, expected, actual }, index) => {
    if (expected === actual) return [name, `  both      ${expected}`];
    const pair = [name, `  expected  ${expected}`, `  actual    ${actual}`];
    return difference?.line === index + 1 ? [...pair, `            ${markBelow(expected, actual)}`] : pair;
  });
  return `${shown.map((line) => line.trimEnd()).join('\n')}\n`;
}

function markBelow(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && at < actual.length && expected[at] === actual[at]) at++;
  return `${' '.repeat(at)}^`;
}

function shownLine(line: string | undefined): string {
  if (line === undefined) return '(no such line)';
  return showInvisible(line) || '(an empty line)';
}
