import type { Texts } from './en.ts';

/** Says in the reader's language what was done wrong with a signature, unless only English has words for it. */
export function sayMistakes(
  { mistakes, besides }: Texts['lab'],
  names: readonly string[],
): string | undefined {
  const known = names.flatMap((name) => (Object.hasOwn(mistakes, name) ? [mistakes[name]] : []));
  return known.length > 0 && known.length === names.length ? known.join(besides) : undefined;
}
