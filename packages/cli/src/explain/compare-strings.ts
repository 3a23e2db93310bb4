/** Where two strings to sign begin to differ, both counted from 1. */
export interface Difference {
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

export interface ComparedLine {
  readonly name: string;
  /** `undefined` when the string has no such line. */
  readonly right: string | undefined;
  readonly theirs: string | undefined;
}

/** Puts the lines of a right string to sign beside those of another one. */
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

/**
 * The names of a right string to sign's lines. Content-MD5 does not always participate, and a resource takes
 * several lines when a value holds a line feed.
 */
export function lineNames(right: string): readonly string[] {
  const lines = right.split('\n');
  const body = /^\d+$/.test(lines[1] ?? '') ? [] : ['Content-MD5'];
  const names = ['Method', ...body, 'Timestamp', 'Nonce'];
  return lines.map((_, index) => names[index] ?? 'CanonicalizedResource');
}

/** The first place where the strings differ, or `undefined` when they are the same. */
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
