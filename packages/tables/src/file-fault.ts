import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';

/** Thrown when a file cannot be imported; no part of it was sent. The message names the line and the fix. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  /** The message as data, for other languages; absent for what only the command finds. */
  readonly problem: Problem | undefined;
  readonly line: number | undefined;

  constructor(problem: Problem | string, line?: number) {
    const text = typeof problem === 'string' ? problem : problemInEnglish(problem);
    super(line === undefined ? text : `line ${line}: ${text}`);
    this.problem = typeof problem === 'string' ? undefined : problem;
    this.line = line;
  }
}

/** The text is not in the encoding that it was read in. */
export class EncodingFault extends FileFault {}
