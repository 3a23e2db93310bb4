/** A purge of old audit rows; times are in Unix milliseconds, by the database's clock. */
export interface AuditPurge {
  /** Rows from before this time are deleted. */
  readonly beforeMs: number;
  readonly nowMs: number;
}

/** Deletes old audit rows, for operators who must not keep them forever. */
export interface AuditRetention {
  /**
   * Begins a round of purges, so that only one of several processes makes it.
   *
   * @param restMs how long after the last purge by any process a round may begin, in milliseconds
   * @returns false when there is nothing to purge, or a process has purged more recently
   */
  beginRound(purge: AuditPurge, restMs: number): Promise<boolean>;
  /**
   * Deletes a few hundred rows, the oldest of a tenant first. Keeps the rows of accepted writes that are still on
   * record.
   *
   * @returns how many were deleted; 0 once none is left
   */
  purge(purge: AuditPurge): Promise<number>;
  /** Returns whether a row is dated between two times, in Unix milliseconds. */
  hasRow(withinMs: readonly [number, number]): Promise<boolean>;
}
