/** A larger step ahead than this is a leap, in milliseconds. */
const leapMs = 3_600_000;

/** How long a leap must last until it is followed, in milliseconds. */
const followedAfterMs = 86_400_000;

/**
 * Follows a clock, but a leap ahead only once it has lasted a day: what is deleted because of its age is lost, even if the
 * clock is set back a moment later. Without a leap, and after a step back, it shows the clock's time.
 */
export class SteadyClock {
  readonly #elapsedMs: () => number;
  /** Difference between the time that is shown and the clock that nobody sets. */
  #differenceMs = Number.POSITIVE_INFINITY;
  #leapAtMs: number | undefined;

  /** @param elapsedMs a clock that nobody sets */
  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  /**
   * Returns the time to show.
   *
   * @param nowMs the time of the clock to follow
   */
  follow(nowMs: number): number {
    const elapsedMs = this.#elapsedMs();
    const differenceMs = nowMs - elapsedMs;
    if (differenceMs > this.#differenceMs + leapMs) {
      this.#leapAtMs ??= elapsedMs;
      if (elapsedMs - this.#leapAtMs < followedAfterMs) return this.#differenceMs + elapsedMs;
    }
    this.#leapAtMs = undefined;
    this.#differenceMs = differenceMs;
    return nowMs;
  }
}
