import { invisibleCharacters } from '@fieldroster/contract';
import type { Problem } from '@fieldroster/contract/problems';

/** Line and paragraph separator. */
const lineSeparators: readonly number[] = [0x2028, 0x2029];

const invisible = new Set(invisibleCharacters);

/** Returns the first invisible character of a text as a code point, such as `U+200B`; `undefined` if it has none. */
export function findInvisible(text: string, others: readonly number[] = []): string | undefined {
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (invisible.has(codePoint) || others.includes(codePoint))
      return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** Returns what is wrong with a name that could pass for another one, or `undefined` for a plain one. */
export function invisibleInName(
  name: string,
  key: 'invisibleInApplication' | 'invisibleInTenant',
): Problem | undefined {
  const character = findInvisible(name, lineSeparators);
  return character === undefined ? undefined : { key, values: { character } };
}
