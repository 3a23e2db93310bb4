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

const headers = 'packages/signing/src/read-signing-headers.ts';
const countedAnyway =
  'The shortcut only saves time: without it, the characters are counted, with the same result.';

/** Changes that `npm run test:mutation` counts as explained. */
export const explainedSurvivors: readonly ExplainedSurvivor[] = [
  {
    file: headers,
    line: 'if (timestamp === undefined || !timestampShape.test(timestamp)) {',
    code: 'timestamp === undefined',
    replacement: 'false',
    reason: 'The pattern refuses the text "undefined" too; the comparison is there for the type checker.',
  },
  ...['false', 'nonce.length < charactersMax'].map((replacement) => ({
    file: headers,
    line: 'if (nonce.length <= charactersMax) return undefined;',
    code: 'nonce.length <= charactersMax',
    replacement,
    reason: countedAnyway,
  })),
];
