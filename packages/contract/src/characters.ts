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
 * Returns a text in which letters that differ only in case are equal: the lower case of each character if that is one
 * character, else the character itself. `É` and `é` become the same text, `ß` and `SS` do not. A letter's neighbours make
 * no difference, and the two forms of the Greek sigma, `σ` and `ς`, are one letter.
 */
export function foldCase(text: string): string {
  // Only these two differ: İ becomes two characters, and Σ at the end of a word another letter.
  return text.replaceAll(/[^İΣ]+|Σ/g, (part) => part.toLowerCase()).replaceAll('ς', 'σ');
}

/** A character at which a text stops being printable on one line, and the key of the problem that it is. */
export interface Unprintable {
  readonly key: 'beginsWith' | 'endsWith' | 'contains';
  /** Its code point, such as `U+00A0`. */
  readonly character: string;
}

/** Finds white space at either end, or a control character. Nobody sees them in the text itself. */
export function findUnprintable(text: string): Unprintable | undefined {
  const found = unprintable.find(([, expression]) => expression.test(text));
  if (found === undefined) return undefined;
  const [key, expression] = found;
  return { key, character: codePoint(expression.exec(text)?.[0] ?? '') };
}

const unprintable = [
  ['beginsWith', /^\s/u],
  ['endsWith', /\s$/u],
  ['contains', /\p{Cc}/u],
] as const;

function codePoint(character: string): string {
  const number = character.codePointAt(0) ?? 0;
  return `U+${number.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Compares the number of code points, and counts them only if the number of code units does not decide. */
export function hasMoreCharacters(text: string, charactersMax: number): boolean {
  if (text.length <= charactersMax) return false;
  return text.length > 2 * charactersMax || countCharacters(text) > charactersMax;
}

/**
 * Compares texts by code points, for a sort: the order in which both databases sort them, and that of their bytes in UTF-8.
 * JavaScript itself compares code units, so it puts `𠮷`, which takes a pair of them, before `Ａ`.
 */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let index = 0;
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  if (index === length) return one.length - other.length;
  return rankOf(one.charCodeAt(index)) - rankOf(other.charCodeAt(index));
}

/** Raises the halves of pairs above all other code units. */
function rankOf(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x1_0000 : codeUnit;
}
