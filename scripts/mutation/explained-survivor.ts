/** A change that no test notices, and why that is right. */
export interface ExplainedSurvivor {
  readonly file: string;
  /** The line where the change begins, without the white space around it. */
  readonly line: string;
  /** The code that was replaced, with single spaces, as is `replacement`. */
  readonly code: string;
  readonly replacement: string;
  readonly reason: string;
}
