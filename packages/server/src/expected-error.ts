/**
 * An error that the caller is told and nobody debugs, such as a refusal. It has no stack: capturing one takes half as long
 * as checking a signature, which an overloaded server has no time for.
 */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
