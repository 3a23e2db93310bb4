import { describeProblem } from './describe-problem.ts';
import { type Problem, problemTexts } from './problem-texts.ts';

/** Returns the English sentence of a problem. */
export function problemInEnglish(problem: Problem): string {
  return describeProblem(problemTexts, problem) ?? problem.key;
}
