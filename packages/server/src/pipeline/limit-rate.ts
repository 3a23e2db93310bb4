import { ApiError } from '../api-error.ts';
import type { KnownApplication } from '../applications/application-directory.ts';

/** Counts a request of an application; throws 1429 once it has made too many. */
export type RateLimiter = (application: KnownApplication, nowMs: number) => void;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * Makes a limiter with a token bucket per application, which allows bursts of one second's worth and refills evenly.
 *
 * @param perSecond requests per second of an application without a limit of its own; 0 sets no limit
 */
export function rateLimiter(perSecond: number): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return ({ appId, rateLimit = perSecond }, nowMs) => {
    if (rateLimit === 0) return;
    const bucket = buckets.get(appId) ?? { tokens: rateLimit, filledAtMs: nowMs };
    buckets.set(appId, bucket);
    const refill = (Math.max(0, nowMs - bucket.filledAtMs) / 1000) * rateLimit;
    bucket.tokens = Math.min(rateLimit, bucket.tokens + refill);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) {
      throw new ApiError(
        1429,
        `${appId} may make ${rateLimit} requests a second; wait a second and send it again`,
        {
          retryAfterSeconds: 1,
        },
      );
    }
    bucket.tokens -= 1;
  };
}
