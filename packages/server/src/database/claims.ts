import type { Actor } from './actor.ts';

/** Marks a signed request as accepted. The database accepts a claim only once, even after it has been purged. */
export interface AcceptanceClaim {
  /** The signature's 32 raw bytes. Absent when only the nonce is claimed. */
  readonly signature?: Uint8Array;
  readonly nonce?: { readonly appId: string; readonly value: string };
  /** Id of the request that makes the claim; differs between copies of the same signed request. */
  readonly requestId: string;
  /** Unix seconds from which the request is too old to be sent again. */
  readonly expiresAtSeconds: number;
}

/** The claim already exists: the request that made it took effect. */
export class AlreadyAcceptedError extends Error {
  override readonly name: string = 'AlreadyAcceptedError';
}

/** The nonce was claimed before, perhaps by another request; nothing proves that this one took effect. */
export class NonceUsedError extends AlreadyAcceptedError {
  override readonly name = 'NonceUsedError';
}

/**
 * The claim does not exist, but it may have been purged. The request can no longer be proven new, so it had no effect.
 */
export class ClaimsPurgedError extends Error {
  override readonly name = 'ClaimsPurgedError';
  readonly expiresAtSeconds: number;
  /** The request would be accepted if it expired after this time, in Unix seconds. */
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
  /** Larger differences are logged. */
  warnMs: 10_000,
  /** With a larger difference the node is not ready. */
  readyMs: 30_000,
} as const;

/**
 * Returns the smallest possible difference between this process's clock and another one, which was read at some moment
 * between the question and the answer.
 *
 * @param whenAskedMs how far this clock was ahead of the other's reading when it was asked for; negative when behind
 * @param whenAnsweredMs the same when the answer had come
 */
export function leastDifference(whenAskedMs: number, whenAnsweredMs: number): number {
  if (whenAskedMs > 0) return whenAskedMs;
  return whenAnsweredMs < 0 ? whenAnsweredMs : 0;
}

export interface ClaimsStatus {
  /** The latest expiry of any purged claim, in Unix seconds; 0 if none was purged. */
  readonly purgedThroughSeconds: number;
  /** Number of stored claims, including those for nonces. */
  readonly kept: number;
  /** Time of the clock that decides purges, in Unix milliseconds. */
  readonly nowMs: number;
}

/**
 * The record of accepted requests. `queries/writes/claim-queries.ts` states and proves the rule by which each of them
 * takes effect at most once.
 */
export interface Claims {
  /**
   * Makes a claim without any other effect, for reads under the strictest replay rule.
   *
   * @throws {AlreadyAcceptedError} when the claim was made before; {@link NonceUsedError} if only its nonce was
   * @throws {ClaimsPurgedError} when it can no longer be known whether it was
   */
  make(claim: AcceptanceClaim): Promise<void>;
  /**
   * Refuses a copy of a request that took effect, before costly work for it. Only the transaction that makes the claim
   * can tell whether a request is new: a copy may be under way, and a nonce or a purge is not looked at.
   *
   * @throws {AlreadyAcceptedError} when a committed transaction made the claim
   */
  refuseCopy(claim: AcceptanceClaim): Promise<void>;
  /**
   * Deletes claims that expired before the given Unix second, oldest first, a few thousand per call.
   *
   * @returns how many were deleted; 0 once none is left
   */
  purge(expiredBeforeSeconds: number): Promise<number>;
  /** Returns the latest expiry of any purged claim, in Unix seconds; 0 if none was purged. */
  purgedThroughSeconds(): Promise<number>;
  /** Reads the clock that decides purges, in Unix milliseconds: PostgreSQL's, or this process's for SQLite. */
  databaseTimeMs(): Promise<number>;
  /**
   * Returns that clock's time without reading it, in whole Unix milliseconds: the time since it was last read has passed
   * on a monotonic clock, so a step of this process's clock changes nothing. It is read at least when the database is
   * opened, and by the servers every ten seconds.
   */
  estimateTimeMs(): number;
  /**
   * Returns how far this process's clock was ahead of the database's when that was last read, in milliseconds, less the
   * uncertainty of the round trip; negative when behind. Returns `undefined` when both are the same clock.
   */
  clockDifferenceMs(): number | undefined;
  status(): Promise<ClaimsStatus>;
  /**
   * Lowers the time through which claims count as purged, and records it in every tenant's audit. Requests whose purged
   * claims expire later could then be accepted again.
   *
   * @returns whether the previous time was later
   */
  lowerPurgedThrough(toSeconds: number, actor?: Actor): Promise<boolean>;
}
