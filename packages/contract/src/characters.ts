/** Counts the code points of a string. Makes no array of them, because there may be a million. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Compares the number of code points, and counts them only if the number of code units does not decide. */
export function hasMoreCharacters(text: string, charactersMax: number): boolean {
  return text.length > charactersMax && countCharacters(text) > charactersMax;
}
