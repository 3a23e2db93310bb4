/**
 * Returns whether somebody who sees a name has typed it. A field takes no line break and no tab, and nobody sees the
 * number of spaces in a row, an invisible character, or how an accent is encoded.
 */
export function readsAlike(typed: string, name: string): boolean {
  return typed !== '' && visible(typed) === visible(name);
}

function visible(text: string): string {
  return text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
