import { lineNames } from './line-names.ts';

/** Where two strings to sign first differ; line and column count from 1. */
export interface Difference {
  readonly line: number;
  readonly column: number;
  /** What the line holds, as in {@link ComparedLine}. */
  readonly name: string;
}

/** One line of a right string to sign and of another string. */
export interface ComparedLine {
  /** What the line holds, such as `Timestamp`; `no such line` beyond the end of the right string. */
  readonly name: string;
  /** `undefined` when the string has no such line. */
  readonly right: string | undefined;
  readonly theirs: string | undefined;
}

/** Pairs the lines of a right string to sign with those of another. */
export function compareLines(right: string, theirs: string): readonly ComparedLine[] {
  const rightLines = right.split('\n');
  const theirLines = theirs.split('\n');
  const names = lineNames(right);
  return Array.from({ length: Math.max(rightLines.length, theirLines.length) }, (_, index) => ({
    name: names[index] ?? 'no such line',
    right: rightLines[index],
    theirs: theirLines[index],
  }));
}

/** Returns the first place where the strings differ, or `undefined` when they are equal. */
export function firstDifference(lines: readonly ComparedLine[]): Difference | undefined {
  const index = lines.findIndex(({ right, theirs }) => right !== theirs);
  const line = lines[index];
  if (line === undefined) return undefined;
  return { line: index + 1, column: firstColumn(line.right ?? '', line.theirs ?? ''), name: line.name };
}

function firstColumn(right: string, theirs: string): number {
  const [a, b] = [[...right], [...theirs]];
  const index = a.findIndex((character, at) => character !== b[at]);
  return (index === -1 ? a.length : index) + 1;
}
