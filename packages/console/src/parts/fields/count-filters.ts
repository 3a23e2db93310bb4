/**
 * Returns how many filters are in use, apart from the one that is always shown.
 *
 * @param search the filters in use, by name
 */
export function countFilters<Search extends object>(search: Search, alwaysShown: keyof Search): number {
  return Object.keys(search).filter((name) => name !== alwaysShown).length;
}
