/**
 * How long a client waits for an answer before it takes it as lost. A server drops the work on a call whose client has
 * left, so a client that leaves too early repeats that work with each attempt.
 */
export const answerWait = {
  /** The server gives a small call ten seconds for its database. */
  usualMs: 15_000,
  /** Additional time for a small request that removes up to 50,000 bindings: the server gives it 2 ms for each. */
  manyRowsMs: 100_000,
  /** A body of this size or more counts as large. */
  largeBodyBytesMin: 16 * 1024,
  /** The longest that a large body waits for its turn. */
  turnMs: 60_000,
  /** Additional time for each MiB of a large body, as the server's own deadline has. */
  perMebibyteMs: 8_000,
  /** Additional time for each password of a batch: nine times as long as hashing it takes on two idle cores. */
  perPasswordMs: 100,
} as const;
