// Has no English sentences: the first load of the console needs none of them.

/** A problem as data, of a kind that another file defines: the key of its sentence, and the values in it. */
interface Described<Key> {
  readonly key: Key;
  readonly values: object;
}

/**
 * Writes a problem in the language of the texts; returns `undefined` for one that they do not have, such as one from a
 * newer server.
 */
export function describeProblem<Key extends string>(
  texts: { readonly [Known in Key]?: ((values: never) => string) | undefined },
  { key, values }: Described<Key>,
): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  // A union of functions accepts only what all of them accept.
  return (texts[key] as ((values: object) => string) | undefined)?.(values);
}
