/** Counts the code points of a text, without an array of them: a text may have a million. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Compares code points, but counts them only when the number of code units leaves it open. */
export function hasMoreCharacters(text: string, charactersMax: number): boolean {
  return text.length > charactersMax && countCharacters(text) > charactersMax;
}
