/** When to retry a call that got no usable answer. */
export interface RetryOptions {
  /** The most requests that one call may send, including the first. Default: 16; 1 never retries. */
  readonly attemptsMax?: number | undefined;
  /** Longest pause before the second attempt, in milliseconds; doubles with each further attempt. Default: 50. */
  readonly delayMs?: number | undefined;
  /** Upper limit of the doubling, in milliseconds. Default: 2000; a `Retry-After` may ask for more. */
  readonly delayMsMax?: number | undefined;
  /** Milliseconds after the start of the call beyond which no attempt starts. Default: 120,000; `Infinity` sets no limit. */
  readonly budgetMs?: number | undefined;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. A write already sent may have been applied. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's own `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the client's retry options, each separately. */
  readonly retry?: RetryOptions | undefined;
}
