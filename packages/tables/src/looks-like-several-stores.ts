/**
 * Characters that people write between codes, and the escapes of line breaks and tabs, which a cell may have between its
 * codes. A backslash of the code itself is escaped too, so an escape follows an even number of backslashes.
 */
const betweenCodes = /[,，、;；|/／]|(?<!\\)(?:\\{2})*\\[nrt]/;

/**
 * Returns whether the code of an unknown store has a character that people write between codes.
 *
 * @param quoted the code in quotes, as messages show it
 */
export function looksLikeSeveralStores(quoted: string): boolean {
  return betweenCodes.test(quoted);
}
