/**
 * An expected outcome, such as a refusal. It captures no stack,
 * because nobody debugs it and an overloaded server creates thousands a second.
 */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      super(message, options);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}
