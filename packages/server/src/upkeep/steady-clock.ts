import type { Database } from '../database/database.ts';

/** A larger step ahead than this is a leap, in milliseconds. */
const leapMs = 3_600_000;

const dayMs = 86_400_000;

/** Long enough for a server that is off over a weekend. */
const provedForDays = 3;

export interface SteadyClockParts {
  /** Whether a server left a record between two times, in Unix milliseconds. */
  readonly wasRunning: (withinMs: readonly [number, number]) => Promise<boolean>;
  /** A monotonic clock, in milliseconds. */
  readonly elapsedMs?: (() => number) | undefined;
}

/**
 * Follows a clock, but a leap ahead only once it has lasted a day: what is deleted because of its age is lost, even if the
 * clock is set back a moment later. Without a leap, and after a step back, it shows the clock's time.
 *
 * At the start, nobody knows whether the clock has leapt. It shows 1970 until the database has a record from one to three
 * days before the clock's time, or until a day has passed. Such a record proves only that the clock is not ahead: see
 * `latestMs`.
 */
export class SteadyClock {
  readonly #wasRunning: SteadyClockParts['wasRunning'];
  readonly #elapsedMs: () => number;
  #startedMs: number | undefined;
  #isProved = false;
  /** Difference between the time that is shown and the monotonic clock. */
  #differenceMs = Number.POSITIVE_INFINITY;
  #leapAtMs: number | undefined;
  /** As `#differenceMs`, but follows a step back only once it has lasted a day. */
  #latestDifferenceMs = Number.NEGATIVE_INFINITY;
  #stepBackAtMs: number | undefined;

  constructor({ wasRunning, elapsedMs = () => performance.now() }: SteadyClockParts) {
    this.#wasRunning = wasRunning;
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Returns the time to show.
   *
   * @param nowMs the time of the clock to follow
   */
  async follow(nowMs: number): Promise<number> {
    const elapsedMs = this.#elapsedMs();
    this.#startedMs ??= elapsedMs;
    this.#followLatest(nowMs - elapsedMs, elapsedMs);
    this.#isProved ||= this.#hasRunForADay(elapsedMs) || (await this.#isProvedFor(nowMs));
    if (!this.#isProved) return 0;
    return this.#withoutLeap(nowMs, elapsedMs);
  }

  /**
   * Returns the latest time that it may be, which decides what is dated ahead. After a step back, the clock from before
   * the step counts for another day.
   *
   * Infinite until this has followed the clock for a day: a clock that was set back before the start has the records of
   * that earlier time as proof, and would show the records since then as dated ahead.
   */
  latestMs(): number {
    const elapsedMs = this.#elapsedMs();
    return this.#hasRunForADay(elapsedMs)
      ? Math.ceil(this.#latestDifferenceMs + elapsedMs)
      : Number.POSITIVE_INFINITY;
  }

  #hasRunForADay(elapsedMs: number): boolean {
    return this.#startedMs !== undefined && elapsedMs - this.#startedMs >= dayMs;
  }

  #followLatest(differenceMs: number, elapsedMs: number): void {
    if (differenceMs < this.#latestDifferenceMs - leapMs) {
      this.#stepBackAtMs ??= elapsedMs;
      if (elapsedMs - this.#stepBackAtMs < dayMs) return;
    }
    this.#stepBackAtMs = undefined;
    this.#latestDifferenceMs = differenceMs;
  }

  #isProvedFor(nowMs: number): Promise<boolean> {
    return this.#wasRunning([nowMs - provedForDays * dayMs, nowMs - dayMs]);
  }

  #withoutLeap(nowMs: number, elapsedMs: number): number {
    const differenceMs = nowMs - elapsedMs;
    if (differenceMs > this.#differenceMs + leapMs) {
      this.#leapAtMs ??= elapsedMs;
      // Monotonic clocks have fractions of a millisecond, but times in the database do not.
      if (elapsedMs - this.#leapAtMs < dayMs) return Math.floor(this.#differenceMs + elapsedMs);
    }
    this.#leapAtMs = undefined;
    this.#differenceMs = differenceMs;
    return nowMs;
  }
}

type Recorded = Pick<Database, 'auditRetention'> & {
  readonly bookkeeping: Pick<Database['bookkeeping'], 'entryCounts'>;
};

/** Makes a clock that is proved by the changes and the counts of a day that the database holds. */
export function steadyClockFor(database: Recorded, elapsedMs?: () => number): SteadyClock {
  return new SteadyClock({
    async wasRunning(withinMs) {
      const { auditRetention, bookkeeping } = database;
      return (await auditRetention.hasRow(withinMs)) || (await bookkeeping.entryCounts.hasCount(withinMs));
    },
    elapsedMs,
  });
}
