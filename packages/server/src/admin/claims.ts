import { limits } from '@fieldroster/contract';
import { clockDifferenceLimits } from '../database/database.ts';
import type { OpenDirectory } from './open-directory.ts';

/** Up to when the record of accepted writes was purged, and what follows for new ones. */
export interface ClaimsReport {
  /** Requests whose Timestamp is not later than this one are refused, in Unix seconds. */
  readonly purgedTimestampSeconds: number;
  /** Accepted requests on record. */
  readonly kept: number;
  /** The clock that purges go by, in Unix seconds. */
  readonly nowSeconds: number;
  /** Whether a write that is signed now is refused. */
  readonly refusesWrites: boolean;
}

const { timestampSkewSeconds } = limits;

/** Tells the state of the record of accepted writes. */
export async function reportClaims({ database }: OpenDirectory): Promise<ClaimsReport> {
  const { purgedThroughSeconds, kept, nowMs } = await database.claims.status();
  const nowSeconds = Math.floor(nowMs / 1000);
  const purgedTimestampSeconds = Math.max(0, purgedThroughSeconds - timestampSkewSeconds);
  return { purgedTimestampSeconds, kept, nowSeconds, refusesWrites: nowSeconds <= purgedTimestampSeconds };
}

/**
 * Until when writes stay refused after a reset, in seconds from now.
 *
 * No later: it is the largest Timestamp that a node accepts now whose clock is as wrong as a ready node's may be. So
 * no request that could be replayed at the time of the reset becomes acceptable by it. No earlier is needed. What is
 * given up are requests with a later Timestamp, whose claims were purged already.
 */
export const refusedAfterResetSeconds = timestampSkewSeconds + clockDifferenceLimits.readyMs / 1000;

export interface ClaimsReset {
  readonly before: ClaimsReport;
  readonly after: ClaimsReport;
  /** False when writes were not refused for longer than after a reset. */
  readonly changed: boolean;
}

/**
 * Lets writes in again after a clock ran far ahead, and records that in the audit of every tenant. The clock must be
 * right again, or the next purge by it undoes the reset.
 */
export async function resetClaims(directory: OpenDirectory): Promise<ClaimsReset> {
  const before = await reportClaims(directory);
  const timestampSeconds = before.nowSeconds + refusedAfterResetSeconds;
  const changed = await directory.database.claims.lowerPurgedThrough(timestampSeconds + timestampSkewSeconds);
  return { before, after: await reportClaims(directory), changed };
}
