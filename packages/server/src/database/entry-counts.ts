/** How much a tenant's directory held. */
export interface EntryCount {
  readonly users: bigint;
  readonly stores: bigint;
  /** Bindings of users to roles, organizations and stores. */
  readonly bindings: bigint;
  /** Applications that have not been revoked. */
  readonly applications: bigint;
  /** When they were counted, in Unix milliseconds. */
  readonly atMs: number;
}

/** A day of a tenant's counts. */
export interface CountedDay {
  readonly tenantId: bigint;
  /** Days since 1970 in UTC. */
  readonly day: number;
}

/** Counts of each tenant's directory, one a day, for comparison with the present. */
export interface EntryCountHistory {
  /** Returns the tenants whose entries were counted on a day. */
  countedTenants(day: number): Promise<ReadonlySet<bigint>>;
  /**
   * Takes a lease for counting, so that only one of several processes does it.
   *
   * @param leaseMs how long the lease lasts; if the process dies, another one can take it after that time
   * @returns false when the day is counted, or another process has the lease
   */
  takeLease(counted: CountedDay, nowMs: number, leaseMs: number): Promise<boolean>;
  /** Records the count of a day for which the process has the lease. */
  record(counted: CountedDay, count: EntryCount): Promise<void>;
  /** Deletes what was counted before a day. */
  forget(beforeDay: number): Promise<void>;
  /** Returns whether a count of any tenant is dated between two times, in Unix milliseconds. */
  hasCount(withinMs: readonly [number, number]): Promise<boolean>;
  /** Returns the count between two times that is closest to a third, all in Unix milliseconds. */
  findNear(
    tenantId: bigint,
    atMs: number,
    within: readonly [number, number],
  ): Promise<EntryCount | undefined>;
}
