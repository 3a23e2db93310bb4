/** Yields an error, its cause, the cause of that, and so on. The query builder and others wrap what a driver throws. */
export function* causesOf(error: unknown): Generator<Error, void> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}
