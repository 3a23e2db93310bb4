import { caseVariants } from '../queries/lists/search-pattern.ts';

/** The longest that GLOB may take for the rows of one statement, in nanoseconds. */
const statementNs = 20_000_000;

/** Time for one step of GLOB: it reads a character of the value, or a character of the pattern that could match it. */
const stepNs = 4;

/**
 * Returns how many rows one statement may search: as many as it can while the event loop waits, even if each value is as
 * long as it may be and begins like the text at as many places as possible.
 *
 * @param charactersMax of all searched values of a row together
 */
export function rowsAtOnce(text: string, charactersMax: number): number {
  return Math.max(1, Math.floor(statementNs / (stepNs * charactersMax * stepsPerCharacter(text))));
}

/**
 * GLOB compares the text with the value at each place until they differ. Two places at which the first n characters of the text
 * match are at least the shortest period of these n apart: one for `aaaa`, two for `abab`, four for `abcd`.
 * So GLOB comes to the character after them at one of as many places at most.
 */
function stepsPerCharacter(text: string): number {
  const characters = caseVariants(text);
  // The first comparison takes place everywhere.
  let steps = 1 + costOf(characters[0]);
  for (const [index, period] of periodsOf(characters).entries())
    steps += costOf(characters[index + 1]) / period;
  return steps;
}

function costOf(variants: readonly string[] = []): number {
  return 1 + variants.length;
}

/** Returns the shortest period of the first character, of the first two, and so on (Knuth, Morris and Pratt). */
function periodsOf(characters: readonly string[][]): number[] {
  const folded = characters.map((variants) => [...variants].sort().join(''));
  /** How many characters each beginning ends with that it also begins with, itself excepted. */
  const borders: number[] = [];
  return folded.map((character, index) => {
    let border = borders[index - 1] ?? 0;
    while (border > 0 && folded[border] !== character) border = borders[border - 1] ?? 0;
    if (index > 0 && folded[border] === character) border += 1;
    borders.push(border);
    return index + 1 - border;
  });
}
