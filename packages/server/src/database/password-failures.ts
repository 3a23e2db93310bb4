/** How many password checks failed within a window of time. */
export interface FailureCount {
  readonly failures: number;
  /** Unix milliseconds at which the window ends and the count with it. */
  readonly endsAtMs: number;
}

/** A change of one subject's count. */
export interface FailureChange {
  /** What is counted for: a keyed hash, because a username that nobody has may be somebody's password. */
  readonly subject: string;
  /** Forgets the count first. */
  readonly clear?: boolean;
  /** Failures to add; negative to take some back. */
  readonly add: number;
}

/** Counts failed password checks for all processes together. */
export interface PasswordFailures {
  /** The present counts, by subject; a subject without one is missing. */
  read(subjects: readonly string[]): Promise<ReadonlyMap<string, FailureCount>>;
  /**
   * Applies all changes in one transaction. A subject's first failure opens its window.
   *
   * @returns the counts afterwards, by subject; that of a subject which was cleared is missing
   * @throws {DatabaseBusyError} when the database takes no write now
   */
  change(changes: readonly FailureChange[], windowMs: number): Promise<ReadonlyMap<string, FailureCount>>;
  /** Drops the counts whose windows have ended; returns how many. */
  forgetEnded(): Promise<number>;
}
