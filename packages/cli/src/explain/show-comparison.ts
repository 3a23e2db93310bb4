import { type ComparedLine, type Difference, firstDifference } from '@fieldroster/signing';

const gap = '  ';

/**
 * Shows both strings side by side, or one below the other if `columns` are too few, and marks the first
 * difference.
 */
export function showComparison(lines: readonly ComparedLine[], columns: number): string {
  const rows = lines.map(({ name, right, theirs }) => ({
    name,
    right: visible(right),
    theirs: visible(theirs),
  }));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length), 'first difference'.length);
  const rightWidth = Math.max(...rows.map(({ right }) => right.length), 'right'.length);
  const theirWidth = Math.max(...rows.map(({ theirs }) => theirs.length), 'theirs'.length);
  const difference = firstDifference(lines);
  const widths = { name: nameWidth, right: rightWidth };
  return nameWidth + rightWidth + theirWidth + 2 * gap.length <= columns
    ? sideBySide(rows, difference, widths)
    : stacked(rows, difference);
}

interface Row {
  readonly name: string;
  readonly right: string;
  readonly theirs: string;
}

interface Widths {
  readonly name: number;
  readonly right: number;
}

function sideBySide(rows: readonly Row[], difference: Difference | undefined, widths: Widths): string {
  const line = (name: string, right: string, theirs: string) =>
    `${name.padEnd(widths.name)}${gap}${right.padEnd(widths.right)}${gap}${theirs}`.trimEnd();
  const shown = rows.flatMap(({ name, right, theirs }, index) => {
    const row = line(name, right, theirs);
    if (difference?.line !== index + 1) return [row];
    const mark = markBelow(right, theirs);
    return [row, line('first difference', mark, mark)];
  });
  return `${[line('', 'right', 'theirs'), ...shown].join('\n')}\n`;
}

function stacked(rows: readonly Row[], difference: Difference | undefined): string {
  const shown = rows.flatMap(({ name, right, theirs }, index) => {
    if (right === theirs) return [name, `  both    ${right}`];
    const pair = [name, `  right   ${right}`, `  theirs  ${theirs}`];
    return difference?.line === index + 1 ? [...pair, `          ${markBelow(right, theirs)}`] : pair;
  });
  return `${shown.map((line) => line.trimEnd()).join('\n')}\n`;
}

function markBelow(right: string, theirs: string): string {
  let at = 0;
  while (at < right.length && at < theirs.length && right[at] === theirs[at]) at++;
  return `${' '.repeat(at)}^`;
}

/** Escapes invisible characters, so that the caller's text cannot move the cursor. */
function visible(line: string | undefined): string {
  if (line === undefined) return '(no such line)';
  if (line === '') return '(an empty line)';
  const escaped = line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => escapes[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return escaped.replace(/ +$/, (spaces) => '␠'.repeat(spaces.length));
}

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\t': '\\t', '\0': '\\0' };
