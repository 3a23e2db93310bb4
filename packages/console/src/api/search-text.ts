import { limits } from '@fieldroster/contract/limits';

/**
 * Returns what to search for when somebody has typed or pasted a text: the text without surrounding white space,
 * without NUL characters and cut to the limit. The server refuses a search with a NUL or beyond the limit.
 */
export function searchText(typed: string): string {
  return [...typed.slice(0, typedMax).replaceAll('\0', '').trim()]
    .slice(0, limits.searchCharactersMax)
    .join('');
}

/** A paste may have megabytes. */
const typedMax = 10 * limits.searchCharactersMax;
