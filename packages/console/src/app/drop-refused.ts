/**
 * Makes the reader of an address drop what it refuses. The router otherwise keeps a refused value in the address and
 * hands it to the page: a filter that is shown but does nothing.
 *
 * @param names what it may refuse
 */
export function dropRefused<Search extends object>(
  read: (search: Record<string, unknown>) => Search,
  ...names: readonly (keyof Search & string)[]
): (search: Record<string, unknown>) => Search {
  const refused = Object.fromEntries(names.map((name) => [name, undefined]));
  return (search) => ({ ...refused, ...read(search) });
}
