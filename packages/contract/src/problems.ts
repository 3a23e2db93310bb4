// Each kind of export has a module of its own, so that the console's first page loads no English sentences it does not show.
export type { ConsoleProblemTexts } from './console-problems.ts';
export { type CutShort, cutShortSearch, readCutShort } from './cut-short-search.ts';
export { describeProblem } from './describe-problem.ts';
export {
  describeHashProblem,
  type HashCost,
  type HashProblem,
  type HashProblemTexts,
  hashProblemInEnglish,
  hashProblemTexts,
} from './password-hash-problems.ts';
export { problemInEnglish } from './problem-in-english.ts';
export {
  type Problem,
  type ProblemKey,
  type ProblemTexts,
  printableMeaning,
  problemTexts,
} from './problem-texts.ts';
export { lacksValues, withheldDigest } from './withheld-digest.ts';
