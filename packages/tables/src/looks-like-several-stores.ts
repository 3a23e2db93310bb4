/** Characters that people write between codes, and line breaks as a quoted text has them. */
const betweenCodes = /[,，、;；|/／]|\\[nrt]/;

/**
 * Returns whether the code of an unknown store has a character that people write between codes.
 *
 * @param quoted the code in quotes, as messages show it
 */
export function looksLikeSeveralStores(quoted: string): boolean {
  return betweenCodes.test(quoted);
}
