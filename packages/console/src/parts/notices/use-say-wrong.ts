import { useCallback } from 'react';
import { sayProblem, type Wrong } from '../../i18n/say-problem.ts';
import { useTexts } from '../../i18n/texts.ts';

export type SayWrong = (wrong: Pick<Wrong, 'message' | 'problem'>) => string;

/** Returns a function that says in the reader's language what is wrong, else in English. */
export function useSayWrong(): SayWrong {
  const texts = useTexts();
  return useCallback(({ message, problem }) => sayProblem(texts, { message, problem }) ?? message, [texts]);
}
