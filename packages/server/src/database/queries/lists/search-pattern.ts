import { userFieldList } from '../../user-columns.ts';

/**
 * What a search text finds, the same on every engine and with or without an index: a text that holds it as
 * it is, where letters that differ in case alone are the same. Case is Unicode's simple one: a letter is
 * the same as another when both have the same lower case of one character (so ß is not SS).
 */

/** The columns that a search looks through. */
export const searchedColumns = [
  'username',
  ...userFieldList.filter(({ searched }) => searched).map(({ column }) => column),
];

/** The characters that each character of a search text stands for: itself, and its other case. */
export function caseVariants(text: string): string[][] {
  return [...text].map(variantsOf);
}

function variantsOf(character: string): string[] {
  const lower = lowerCase(character);
  const upper = lower.toUpperCase();
  const isOneLetter = [...upper].length === 1 && lowerCase(upper) === lower;
  return [...new Set([character, lower, ...(isOneLetter ? [upper] : [])])];
}

function lowerCase(character: string): string {
  const lower = character.toLowerCase();
  return [...lower].length === 1 ? lower : character;
}
