import type { KnownApplication } from '../applications/loaded-application.ts';
import type { RateReport, RateReports, RateUse } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { SharedLimit } from './shared-limit.ts';

/** An application without a request for this long is no longer reported. */
const forgottenAfterMs = 60_000;

interface Limited {
  readonly perSecond: number;
  readonly limit: SharedLimit;
  usedAtMs: number;
}

/** Limits the rate of each application's requests, together with the other processes of the deployment. */
export class RateLimits {
  readonly #limitOf: (application: KnownApplication) => number;
  readonly #limited = new Map<string, Limited>();

  /** @param limitOf returns an application's requests per second; 0 sets no limit */
  constructor(limitOf: (application: KnownApplication) => number) {
    this.#limitOf = limitOf;
  }

  /**
   * Counts a request.
   *
   * @throws {ApiError} 1429 when the application has made too many
   */
  count(application: KnownApplication, nowMs: number): void {
    const perSecond = this.#limitOf(application);
    if (perSecond === 0) return;
    const { appId } = application;
    const limited = this.#limitedOf(appId, perSecond, nowMs);
    limited.usedAtMs = nowMs;
    if (limited.limit.tryTake(nowMs)) return;
    throw new ApiError(
      1429,
      `${appId} may make ${perSecond} requests a second; wait a second and send it again`,
      { retryAfterSeconds: 1 },
    );
  }

  /** Returns what the other processes should know. Call it once for each exchange. */
  report(nowMs: number): RateReport {
    const uses: [string, RateUse][] = [];
    for (const [appId, { limit, usedAtMs }] of this.#limited) {
      if (nowMs - usedAtMs > forgottenAfterMs) this.#limited.delete(appId);
      else uses.push([appId, limit.report(nowMs)]);
    }
    // Operators choose APPIDs, and one may be the name of a property that every object has.
    return Object.fromEntries(uses);
  }

  /** Adjusts this process's shares to the latest reports of all other processes. */
  learn(reports: RateReports, nowMs: number): void {
    const others = Object.entries(reports);
    for (const [appId, { limit }] of this.#limited) {
      const uses = others.flatMap(([process, report]) => {
        const use = Object.hasOwn(report, appId) ? report[appId] : undefined;
        return use === undefined ? [] : [[process, use] as const];
      });
      limit.learn(new Map(uses), nowMs);
    }
  }

  #limitedOf(appId: string, perSecond: number, nowMs: number): Limited {
    const known = this.#limited.get(appId);
    if (known?.perSecond === perSecond) return known;
    const limited = { perSecond, limit: new SharedLimit(perSecond, nowMs), usedAtMs: nowMs };
    this.#limited.set(appId, limited);
    return limited;
  }
}
