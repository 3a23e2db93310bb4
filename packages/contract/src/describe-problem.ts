import type { HashProblem, HashProblemTexts } from './password-hash-problems.ts';
import type { Problem, ProblemTexts } from './problems.ts';

// Has no English sentences: the first load of the console needs none of them.

/**
 * Writes a problem in the language of the texts; returns `undefined` for one that they do not have, such as one from a
 * newer server.
 */
export function describeProblem(texts: Partial<ProblemTexts>, { key, values }: Problem): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  // A union of functions accepts only what all of them accept.
  return (texts[key] as ((values: Problem['values']) => string) | undefined)?.(values);
}

/** Writes a reason in the language of the texts; returns `undefined` for one that they do not have. */
export function describeHashProblem(
  texts: HashProblemTexts,
  { key, values }: HashProblem,
): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  return (texts[key] as (values: HashProblem['values']) => string)(values);
}
