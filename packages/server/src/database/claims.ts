/**
 * Marks a signed request as accepted. The database lets a claim be made once, and never again after it was purged.
 */
export interface AcceptanceClaim {
  /** The signature's 32 raw bytes. Absent where only the nonce is claimed. */
  readonly signature?: Uint8Array;
  readonly nonce?: { readonly appId: string; readonly value: string };
  /** The request that makes the claim, told apart from every other copy of the same signed request. */
  readonly requestId: string;
  /** Unix seconds from which on the request is too old to be sent again. */
  readonly expiresAtSeconds: number;
}

/** The claim was made before: the request that made it took effect. */
export class AlreadyAcceptedError extends Error {
  override readonly name = 'AlreadyAcceptedError';
}

/**
 * There is no such claim, but one like it may have been purged. Nobody can prove any more that the request is new,
 * so that nothing of it happened.
 */
export class ClaimsPurgedError extends Error {
  override readonly name = 'ClaimsPurgedError';
  readonly expiresAtSeconds: number;
  /** The request would be accepted if it expired later than this, in Unix seconds. */
  readonly purgedThroughSeconds: number;

  constructor(expiresAtSeconds: number, purgedThroughSeconds: number) {
    super(
      `the claim expires at ${expiresAtSeconds}, and claims were purged through ${purgedThroughSeconds} (Unix seconds)`,
    );
    this.expiresAtSeconds = expiresAtSeconds;
    this.purgedThroughSeconds = purgedThroughSeconds;
  }
}

/** How far a node's clock may be from the database's, in milliseconds. */
export const clockDifferenceLimits = {
  /** Beyond this it is logged. */
  warnMs: 10_000,
  /** Beyond this the node is not ready. */
  readyMs: 30_000,
} as const;

export interface ClaimsStatus {
  /** The latest expiry among all claims ever purged, in Unix seconds; 0 when none was. */
  readonly purgedThroughSeconds: number;
  /** How many claims are kept, those of nonces included. */
  readonly kept: number;
  /** The time by the clock that purges go by, in Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * The record of accepted requests. `kysely/claims.ts` states the rule that makes each of them take effect at most
 * once, and proves it.
 */
export interface Claims {
  /**
   * Makes a claim that has no effect of its own, for reads under the strictest replay rule.
   *
   * @throws {AlreadyAcceptedError} when it was made before
   * @throws {ClaimsPurgedError} when nobody can know any more whether it was
   */
  make(claim: AcceptanceClaim): Promise<void>;
  /**
   * Drops claims that expired before the given Unix second, the oldest first and some thousands at a time.
   *
   * @returns how many were dropped; 0 once none is left
   */
  purge(expiredBeforeSeconds: number): Promise<number>;
  /** Asks the clock that purges go by, in Unix milliseconds: PostgreSQL's, or this process's for SQLite. */
  databaseTimeMs(): Promise<number>;
  /**
   * By how much this process's clock was ahead of the database's when `databaseTimeMs` last asked, in milliseconds;
   * negative when it was behind. What the round trip leaves uncertain is taken off. `undefined` before that, and
   * where both are one clock.
   */
  clockDifferenceMs(): number | undefined;
  status(): Promise<ClaimsStatus>;
  /**
   * Lowers the time through which claims count as purged, and records that in the audit of every tenant. What was
   * purged with a later expiry could be accepted once more.
   *
   * @returns whether it was later than that
   */
  lowerPurgedThrough(toSeconds: number): Promise<boolean>;
}
