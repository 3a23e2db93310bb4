import { describeProblem } from '@fieldroster/contract/describe-problem';
import type { Problem } from '@fieldroster/contract/problems';
import type { Texts } from './en.ts';

/** Something wrong, as an English sentence and, if it is a known problem, as data. */
export interface Wrong {
  readonly message: string;
  readonly problem?: Problem | undefined;
  /** The line of the file on which it is. */
  readonly line?: number | undefined;
}

/** Says in the reader's language what is wrong, else `undefined`: then only the English message does. */
export function sayProblem({ problems, general }: Texts, { problem, line }: Wrong): string | undefined {
  const said = problem && describeProblem(problems, problem);
  return said === undefined || line === undefined ? said : `${general.atLine(line)}${said}`;
}
