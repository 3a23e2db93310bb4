import { useCallback } from 'react';
import type { Wrong } from '../../../i18n/say-problem.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { ImportKind } from '../job/import-job.ts';
import { sayRowProblem } from './say-row-problem.ts';

export type SayRowProblem = (wrong: Pick<Wrong, 'message' | 'problem'>) => string;

/** Returns a function that says in the reader's language what is wrong with a row of an import. */
export function useSayRowProblem(kind: ImportKind): SayRowProblem {
  const texts = useTexts();
  return useCallback((wrong) => sayRowProblem(texts, kind, wrong), [texts, kind]);
}
