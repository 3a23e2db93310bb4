import type { Problem, ProblemTexts } from './problem-texts.ts';

/**
 * Writes a problem in the language of the texts; returns `undefined` for one that they do not have, such as one from a
 * newer server.
 */
export function describeProblem(texts: Partial<ProblemTexts>, { key, values }: Problem): string | undefined {
  if (!Object.hasOwn(texts, key)) return undefined;
  // A union of functions accepts only what all of them accept.
  return (texts[key] as ((values: Problem['values']) => string) | undefined)?.(values);
}
