/**
 * Something that the operator has to change. The message says what is wrong and what to do, in one line, so a stack trace
 * would not help.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}
