/** The interface's limit on the Nonce header, in characters (code points). */
export const nonceCharactersMaxDefault = 36;

/** Counts the characters (code points) of a nonce. */
export function nonceCharacters(nonce: string): number {
  let characters = 0;
  for (const _ of nonce) characters++;
  return characters;
}
