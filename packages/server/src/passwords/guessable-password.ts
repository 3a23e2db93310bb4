import { isCommonPassword } from './common-password.ts';

/** Why a password is easy to guess. */
export type Guessable = 'common' | 'words of the context';

/** Words that somebody who guesses an operator's password would try first. docs/console.md lists them. */
export const wordsOfProduct: readonly string[] = [
  'fieldroster',
  'field',
  'roster',
  'console',
  'directory',
  'operator',
  'viewer',
  'manager',
  'owner',
  'admin',
  'administrator',
  'password',
  'passphrase',
  'secret',
  'welcome',
  'login',
  'default',
];

/** Shorter parts of names occur in other words, so they do not count. */
const wordCharactersMin = 3;

/** Letters that a password needs besides those words. Digits and punctuation around a word are quickly tried. */
const otherLettersMin = 8;

/**
 * Returns why a password is easy to guess, or `undefined` if nothing is known against it.
 *
 * @param names what else somebody who guesses would try, such as the username and the names of tenants
 */
export function whyGuessable(password: string, names: readonly string[]): Guessable | undefined {
  const plain = plainOf(password);
  if (plain === '' || isCommonPassword(password) || isCommonPassword(plain)) return 'common';
  return isMadeOf(plain, wordsOf(names)) ? 'words of the context' : undefined;
}

/**
 * Returns a string in lower case, with compatible forms of letters replaced, and without accents, invisible characters
 * and outer spaces.
 */
function plainOf(text: string): string {
  return text.normalize('NFKD').replaceAll(addition, '').normalize('NFC').toLowerCase().trim();
}

const addition = /[\p{M}\p{Cf}]/gu;

/** Returns the longest words first, so that no word hides a longer one. */
function wordsOf(names: readonly string[]): readonly string[] {
  const plain = names.map(plainOf);
  const parts = plain.flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]/u)]);
  const words = parts.filter((part) => part.length >= wordCharactersMin);
  return [...new Set([...wordsOfProduct, ...words])].sort((a, b) => b.length - a.length);
}

/**
 * Returns whether a password has one of the words, and too little else.
 *
 * @param password in the form of `plainOf`, as the words are
 */
function isMadeOf(password: string, words: readonly string[]): boolean {
  // The space keeps the letters before and after a word from forming another word.
  const others = words.reduce((left, word) => left.replaceAll(word, ' '), password);
  if (others === password) return false;
  return [...others].filter((character) => isLetter.test(character)).length < otherLettersMin;
}

const isLetter = /\p{L}/u;
