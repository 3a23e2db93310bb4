/** The interface's limit on the Nonce header, in characters (code points). */
export const nonceCharactersMaxDefault = 36;

/** How many characters (code points) a nonce has. */
export function nonceCharacters(nonce: string): number {
  let characters = 0;
  for (const _ of nonce) characters++;
  return characters;
}
