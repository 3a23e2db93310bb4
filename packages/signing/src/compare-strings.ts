import { lineNames } from './line-names.ts';

/** Where two strings to sign first differ; line and column count from 1. */
export interface Difference {
  readonly line: number;
  readonly column: number;
  /** What the line holds, as in {@link ComparedLine}. */
  readonly name: string;
}

/** One line of an expected string to sign and of another string. */
export interface ComparedLine {
  /** What the line holds, such as `Timestamp`; `no such line` beyond the end of the expected string. */
  readonly name: string;
  /** `undefined` when the string has no such line. */
  readonly expected: string | undefined;
  readonly actual: string | undefined;
}

/** Pairs the lines of an expected string to sign with those of another. */
export function compareLines(expected: string, actual: string): readonly ComparedLine[] {
  const expectedLines = expected.split('\n');
  const actualLines = actual.split('\n');
  const names = lineNames(expected);
  return Array.from({ length: Math.max(expectedLines.length, actualLines.length) }, (_, index) => ({
    name: names[index] ?? 'no such line',
    expected: expectedLines[index],
    actual: actualLines[index],
  }));
}

/** Returns the first place where the strings differ, or `undefined` when they are equal. */
export function firstDifference(lines: readonly ComparedLine[]): Difference | undefined {
  const index = lines.findIndex(({ expected, actual }) => expected !== actual);
  const line = lines[index];
  if (line === undefined) return undefined;
  return { line: index + 1, column: firstColumn(line.expected ?? '', line.actual ?? ''), name: line.name };
}

function firstColumn(expected: string, actual: string): number {
  const [a, b] = [[...expected], [...actual]];
  const index = a.findIndex((character, at) => character !== b[at]);
  return (index === -1 ? a.length : index) + 1;
}
