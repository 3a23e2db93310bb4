/** A change that no test can notice, or need not, and why. */
export interface ExplainedSurvivor {
  readonly file: string;
  /** The changed line, without the white space around it. */
  readonly line: string;
  /** What the tester put into the line, with single spaces. */
  readonly replacement: string;
  readonly reason: string;
}

/** Changes that `npm run test:mutation` counts as explained. */
export const explainedSurvivors: readonly ExplainedSurvivor[] = [];
