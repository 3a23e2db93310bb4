import { invisibleCharacters } from '@fieldroster/contract';

const listed = invisibleCharacters.map((codePoint) => String.fromCodePoint(codePoint)).join('');

/** Every white space but the plain one, the controls that JSON leaves as they are, and characters without a width. */
const unseen = new RegExp(`(?! )[\\p{Z}\\p{Cc}${listed}]`, 'gu');

/**
 * Quotes a string for a message. A character that looks like nothing or like a plain space becomes an escape.
 * A name pasted from a sheet may contain one, and looks like another name that exists.
 */
export function quoteVisibly(text: string): string {
  return JSON.stringify(text).replaceAll(unseen, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
