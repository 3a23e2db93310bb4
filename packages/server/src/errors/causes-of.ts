/** Yields an error, its cause, the cause of that, and so on. The query builder and others wrap what a driver throws. */
export function* causesOf(error: unknown): Generator<Error, void> {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    yield cause;
  }
}
