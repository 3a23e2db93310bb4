import { bodyMistakes } from './body-mistakes.ts';
import { layoutMistakes } from './layout-mistakes.ts';
import type { Mistake, RightParts, StringMistake } from './mistake.ts';
import { queryMistakes } from './query-mistakes.ts';

/** A string to sign, and the mistake or mistakes that produce it. */
export type WrongText = readonly [Mistake, string];

/** Mistakes with a certain cause come first, then the most frequent ones. */
export const stringMistakes: readonly StringMistake[] = [
  ...bodyMistakes,
  ...queryMistakes,
  ...layoutMistakes,
];

/** Yields the texts of each mistake. */
export function* textsOf(mistakes: readonly StringMistake[], right: RightParts): Generator<WrongText> {
  for (const mistake of mistakes) {
    for (const text of mistake.strings(right)) yield [mistake, text];
  }
}
