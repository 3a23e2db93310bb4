import { closest, distance } from 'fastest-levenshtein';

/** Returns the known name that is nearest to a misspelt one, if any is near enough to be meant. */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '-');
  const nearest = closest(plain, known);
  return distance(plain, nearest) <= Math.max(2, Math.floor(plain.length / 3)) ? nearest : undefined;
}
