import { useCallback } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import type { ImportKind } from '../job/import-job.ts';
import { sayRowProblems, type WrongRow } from './say-row-problems.ts';

export type SayRowProblems = (wrong: WrongRow) => readonly string[];

/** Returns a function that says in the reader's language each mistake of a row of an import. */
export function useSayRowProblems(kind: ImportKind): SayRowProblems {
  const texts = useTexts();
  return useCallback((wrong) => sayRowProblems(texts, kind, wrong), [texts, kind]);
}
