/** A character outside the basic plane, which takes two code units. */
const pair = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * Counts the code points of a string. Makes no array of them, because there may be a million, and is fast without pairs:
 * a small workbook may show one long text in each of a million rows.
 */
export function countCharacters(text: string): number {
  return text.replaceAll(pair, '_').length;
}

/**
 * Returns the lower case of each character if that is one character, else the character itself: `É` and `é` become the
 * same text, `ß` and `SS` do not. This is Unicode's simple case, which a letter's neighbours do not change.
 */
export function simpleLowerCase(text: string): string {
  // Only these two differ: İ becomes two characters, and Σ at the end of a word another letter.
  return text.replaceAll(/[^İΣ]+|Σ/g, (part) => part.toLowerCase());
}

/** Compares the number of code points, and counts them only if the number of code units does not decide. */
export function hasMoreCharacters(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return false;
  return text.length > 2 * charactersMax || countCharacters(text) > charactersMax;
}
