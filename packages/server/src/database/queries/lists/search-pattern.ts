import { limits, type Operation, operations } from '@fieldroster/contract';
import { foldCase } from '@fieldroster/contract/characters';
import { userFieldList } from '../../user-columns.ts';

/**
 * Search matches a text that contains the search text, ignoring case, with the same result on every engine, with or
 * without an index: two letters match if {@link foldCase} makes them equal, so ß does not match SS.
 */

/** The columns that a search covers. */
export const searchedColumns = [
  'username',
  ...userFieldList.filter(({ searched }) => searched).map(({ column }) => column),
];

const { body: fieldsOfUser }: Operation = operations.createUser;

/** The most characters that the searched columns of one user have together. */
export const searchedCharactersMax = userFieldList
  .filter(({ searched }) => searched)
  .map(({ name }) => Number(Reflect.get(fieldsOfUser?.properties[name] ?? {}, 'maxLength')))
  .reduce((sum, charactersMax) => sum + charactersMax, Number(limits.usernameCharactersMax));

/** Returns the characters that each character of a search text matches: all those that are equal but for case. */
export function caseVariants(text: string): string[][] {
  return [...text].map(variantsOf);
}

function variantsOf(character: string): string[] {
  const lower = foldCase(character);
  const upper = lower.toUpperCase();
  const isOneLetter = [...upper].length === 1 && foldCase(upper) === lower;
  return [
    ...new Set([character, lower, ...(isOneLetter ? [upper] : []), ...(moreUpperCases.get(lower) ?? [])]),
  ];
}

/** The last such letter, the Ångström sign, as `search-pattern.test.ts` checks. */
const lastMore = 0x212b;

/** Letters that are not the upper case of their lower case, such as the Kelvin sign, by their lower case. */
const moreUpperCases = Map.groupBy(
  Array.from({ length: lastMore + 1 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter((letter) => {
    const lower = foldCase(letter);
    return lower !== letter && lower.toUpperCase() !== letter;
  }),
  foldCase,
);
