import { limits } from '@fieldroster/contract';
import { clockDifferenceLimits } from '../database/database.ts';
import type { OpenDirectory } from './open-directory.ts';

/** The time through which the record of accepted writes was purged, and its effect on new writes. */
export interface ClaimsReport {
  /** Requests whose Timestamp is not later than this are refused, in Unix seconds. */
  readonly purgedTimestampSeconds: number;
  /** Accepted requests on record. */
  readonly kept: number;
  /** Current time of the clock that purges use, in Unix seconds. */
  readonly nowSeconds: number;
  /** Whether a write that is signed now is refused. */
  readonly refusesWrites: boolean;
}

const { timestampSkewSeconds } = limits;

/** Returns the state of the record of accepted writes. */
export async function reportClaims({ database }: OpenDirectory): Promise<ClaimsReport> {
  const { purgedThroughSeconds, kept, nowMs } = await database.claims.status();
  const nowSeconds = Math.floor(nowMs / 1000);
  const purgedTimestampSeconds = Math.max(0, purgedThroughSeconds - timestampSkewSeconds);
  return { purgedTimestampSeconds, kept, nowSeconds, refusesWrites: nowSeconds <= purgedTimestampSeconds };
}

/**
 * How long writes stay refused after a reset, in seconds.
 *
 * The refusal ends at the largest Timestamp that a node accepts now if its clock is as far off as a ready node's may
 * be. So no request that can be replayed at the time of the reset becomes acceptable. Requests with a later Timestamp,
 * whose claims were already purged, can be replayed: the reset gives up their protection.
 */
export const refusedAfterResetSeconds = timestampSkewSeconds + clockDifferenceLimits.readyMs / 1000;

export interface ClaimsReset {
  readonly before: ClaimsReport;
  readonly after: ClaimsReport;
  /** False when a reset would not accept writes any sooner. */
  readonly changed: boolean;
}

/**
 * Accepts writes again after a clock ran far ahead, and records that in the audit of every tenant. The clock must be
 * correct again, or the next purge undoes the reset.
 */
export async function resetClaims(directory: OpenDirectory): Promise<ClaimsReset> {
  const before = await reportClaims(directory);
  const timestampSeconds = before.nowSeconds + refusedAfterResetSeconds;
  const changed = await directory.database.claims.lowerPurgedThrough(
    timestampSeconds + timestampSkewSeconds,
    directory.actor,
  );
  return { before, after: await reportClaims(directory), changed };
}
