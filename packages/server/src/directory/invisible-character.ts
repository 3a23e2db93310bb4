import { invisibleCharacters } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';

/** Braille without dots, and the separators of lines and paragraphs. Unicode does not count them as ignorable. */
const drawnBlank: readonly number[] = [0x2800, 0x2028, 0x2029];

/** Soft hyphen, and letters of Hangul and Mongolian that are drawn as nothing. */
const drawnAsNothing: readonly number[] = [0xad, 0x115f, 0x1160, 0x180e, 0x3164, 0xffa0];

/** Joiners belong to the spelling of some names. */
const joiners: readonly number[] = [0x200c, 0x200d];

const invisible = new Set(invisibleCharacters);

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Returns the first invisible character of a text as a code point, such as `U+200B`; `undefined` if it has none. */
export function findInvisible(text: string, others: readonly number[] = []): string | undefined {
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (invisible.has(codePoint) || others.includes(codePoint)) return asCodePoint(codePoint);
  }
  return undefined;
}

/**
 * Returns what is wrong with a name that could pass for another one, or `undefined` for a plain one. It may have
 * variation selectors, which emoji and some Japanese names need.
 */
export function invisibleInName(
  name: string,
  key: 'invisibleInApplication' | 'invisibleInTenant',
): Problem | undefined {
  const character = findInvisible(name, [...drawnBlank, ...drawnAsNothing]);
  return character === undefined ? undefined : { key, values: { character } };
}

/** Returns what is wrong with a new operator's name that could pass for another one, or `undefined` for a plain one. */
export function invisibleInOperatorName(name: string): Problem | undefined {
  const ignored = (name.match(ignorable) ?? []).map((character) => character.codePointAt(0) ?? 0);
  const character = findInvisible(name, [
    ...drawnBlank,
    ...ignored.filter((each) => !joiners.includes(each)),
  ]);
  return character === undefined ? undefined : { key: 'invisibleInOperator', values: { character } };
}

/** Removes the characters that nobody sees, joiners and variation selectors included. */
export function withoutIgnorable(text: string): string {
  return text.replaceAll(ignorable, '');
}

function asCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
