/** Number of failed password checks within a time window. */
export interface FailureCount {
  readonly failures: number;
  /** Unix milliseconds at which the window ends and the count expires. */
  readonly endsAtMs: number;
}

/** A change to one subject's count. */
export interface FailureChange {
  /** A keyed hash of what is counted: a username that does not exist may be somebody's password. */
  readonly subject: string;
  /** Clears the count before adding. */
  readonly clear?: boolean;
  /** Failures to add; negative to take some back. */
  readonly add: number;
  /** Length of a new window, if it is shorter than the longest one. */
  readonly endsAfterMs?: number;
}

/** Counts failed password checks across all processes. */
export interface PasswordFailures {
  /** Returns the current counts by subject, without subjects that have none. */
  read(subjects: readonly string[], windowMs: number): Promise<ReadonlyMap<string, FailureCount>>;
  /**
   * Applies all changes in one transaction. A subject's first failure opens its window.
   *
   * @param windowMs length of a subject's longest window
   * @returns the counts afterwards, by subject, without the subjects that were cleared
   * @throws {BusyError} when the database accepts no write now
   */
  change(changes: readonly FailureChange[], windowMs: number): Promise<ReadonlyMap<string, FailureCount>>;
  /** Deletes the counts whose windows have ended; returns how many. */
  forgetEnded(): Promise<number>;
}
