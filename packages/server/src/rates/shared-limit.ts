import type { RateUse } from '../database/database.ts';

/** Time over which credit is spent and debt is repaid, in seconds. */
const settleSeconds = 1;

/** Largest unused allowance that all processes together may use later, in seconds' worth of the limit. */
const creditSecondsMax = 2;

/** How much of the highest recent demand still counts one exchange later. */
const demandDecay = 0.5;

/**
 * How far one process may go beyond its part of the demand before the others know of its requests. Lower values make
 * the processes refuse requests that move to another process; higher ones let a burst at all of them exceed the limit.
 */
const reachFactor = 3;

/**
 * One process's part of a limit that many processes keep together. Each accepts the same fraction of its own requests:
 * the limit divided by the demand of all. Demand that moves from one process to another therefore needs no new shares.
 * If the processes together accepted more or less than the limit, the fraction is corrected, so errors do not add up. A
 * token bucket in each process bounds what it accepts before the others know of its requests.
 *
 * While no other process reports, this is a plain token bucket, with bursts of one second's worth.
 */
export class SharedLimit {
  readonly #perSecond: number;
  /** The bucket of this process. */
  #tokens: number;
  #filledAtMs: number;
  /** Part of the bucket's rate and size that this process may use. */
  #reach = 1;
  /** Part of the requests that may pass. */
  #fraction = 1;
  /** Requests that the fraction lets pass, counted in parts. */
  #passable = 1;
  /** Requests since the last period. */
  #demand = 0;
  #demandPerSecond = 0;
  #acceptedTotal = 0;
  #periodAtMs: number;
  /** Unused allowance of all processes; negative after they accepted too many. */
  #credit = 0;
  #ownSeen = 0;
  #othersSeen: ReadonlyMap<string, number> = new Map();
  #demandOfAll = 0;
  #learnedAtMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#filledAtMs = nowMs;
    this.#periodAtMs = nowMs;
    this.#learnedAtMs = nowMs;
  }

  /** Counts a request. Returns whether it is within the limit. */
  tryTake(nowMs: number): boolean {
    this.#demand += 1;
    this.#refill(nowMs);
    this.#passable = Math.min(2, this.#passable + this.#fraction);
    if (this.#tokens < 1 || this.#passable < 1) return false;
    this.#tokens -= 1;
    this.#passable -= 1;
    this.#acceptedTotal += 1;
    return true;
  }

  /** Ends a period, and returns what the other processes should know. */
  report(nowMs: number): RateUse {
    const seconds = (nowMs - this.#periodAtMs) / 1000;
    if (seconds < 0) {
      // The clock was set back, so nobody knows how long the period took. The next one is measured again.
      this.#demand = 0;
      this.#periodAtMs = nowMs;
    } else if (seconds > 0) {
      this.#demandPerSecond = this.#demand / seconds;
      this.#demand = 0;
      this.#periodAtMs = nowMs;
    }
    return { demandPerSecond: this.#demandPerSecond, acceptedTotal: this.#acceptedTotal };
  }

  /**
   * Adjusts the share of this process. Without news, the last share stays.
   *
   * @param others the latest report of each other process, by a name that no two processes share
   */
  learn(others: ReadonlyMap<string, RateUse>, nowMs: number): void {
    this.#settle(others, nowMs);
    if (others.size === 0) {
      this.#reach = 1;
      this.#fraction = 1;
      return;
    }
    const uses = [...others.values()];
    const demand = uses.reduce((sum, use) => sum + use.demandPerSecond, this.#demandPerSecond);
    this.#demandOfAll = Math.max(demand, this.#demandOfAll * demandDecay);
    const budget = Math.max(0, this.#perSecond + this.#credit / settleSeconds);
    this.#fraction = this.#demandOfAll <= budget ? 1 : budget / this.#demandOfAll;
    const ownPart = this.#demandOfAll === 0 ? 0 : this.#demandPerSecond / this.#demandOfAll;
    this.#reach = Math.min(1, reachFactor * Math.max(ownPart, 1 / (others.size + 1)));
  }

  /** Adds up what all processes accepted since the last time. */
  #settle(others: ReadonlyMap<string, RateUse>, nowMs: number): void {
    let accepted = this.#acceptedTotal - this.#ownSeen;
    for (const [name, { acceptedTotal }] of others) {
      const seen = this.#othersSeen.get(name) ?? acceptedTotal;
      // A process starts its total again when the application's limit has changed.
      accepted += acceptedTotal < seen ? acceptedTotal : acceptedTotal - seen;
    }
    const seconds = Math.max(0, nowMs - this.#learnedAtMs) / 1000;
    this.#credit = Math.min(
      creditSecondsMax * this.#perSecond,
      this.#credit + this.#perSecond * seconds - accepted,
    );
    this.#ownSeen = this.#acceptedTotal;
    this.#othersSeen = new Map([...others].map(([name, use]) => [name, use.acceptedTotal]));
    this.#learnedAtMs = nowMs;
  }

  #refill(nowMs: number): void {
    const rate = this.#perSecond * this.#reach;
    const seconds = Math.max(0, nowMs - this.#filledAtMs) / 1000;
    this.#tokens = Math.min(Math.max(1, rate), this.#tokens + seconds * rate);
    this.#filledAtMs = nowMs;
  }
}
