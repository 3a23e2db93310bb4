import { limits } from '@fieldroster/contract/limits';

/**
 * Returns what to search for after somebody typed or pasted a text: the text without white space around it, without NUL
 * characters and without what exceeds the limit. The server refuses a search with either of the last two.
 */
export function searchText(typed: string): string {
  return [...typed.slice(0, typedMax).replaceAll('\0', '').trim()]
    .slice(0, limits.searchCharactersMax)
    .join('');
}

/** A paste may have megabytes. */
const typedMax = 10 * limits.searchCharactersMax;
