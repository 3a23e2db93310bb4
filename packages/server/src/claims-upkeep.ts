import { type Claims, clockDifferenceLimits } from './database/database.ts';
import type { Logger } from './logger.ts';

const intervalMs = 10_000;

/**
 * How long a claim is kept after its expiry, in seconds. A write is refused when its claim expires no later than a
 * purged one, so this must cover the allowed difference between clocks, and the time from the check of a request's
 * timestamp to its write. That writes take effect only once does not depend on it.
 */
const marginSeconds = 120;

/** A wrong clock stays wrong for a while, so one warning a minute is enough. */
const warningIntervalMs = 60_000;

/** Purges expired claims by the database's clock, and watches how far this process's clock differs from it. */
export class ClaimsUpkeep {
  readonly #claims: Claims;
  readonly #logger: Pick<Logger, 'warn'>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #warnAgainAtMs = 0;

  constructor(claims: Claims, logger: Pick<Logger, 'warn'>) {
    this.#claims = claims;
    this.#logger = logger;
  }

  /** Starts with a round at once, so that the clock difference is known when the first requests arrive. */
  start(): void {
    this.#timer = setInterval(() => void this.run(), intervalMs).unref();
    void this.run();
  }

  /** Stops the purges. Resolves once none is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Runs one round, or joins the one under way. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#purge().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #purge(): Promise<void> {
    try {
      const nowMs = await this.#claims.databaseTimeMs();
      this.#watchClock();
      const before = Math.floor(nowMs / 1000) - marginSeconds;
      while ((await this.#claims.purge(before)) > 0);
    } catch (error) {
      this.#logger.warn({ cause: String(error) }, 'expired claims were kept until the next purge');
    }
  }

  #watchClock(): void {
    const differenceMs = this.#claims.clockDifferenceMs() ?? 0;
    if (Math.abs(differenceMs) <= clockDifferenceLimits.warnMs) return;
    // Measured by a clock that is never corrected.
    if (performance.now() < this.#warnAgainAtMs) return;
    this.#warnAgainAtMs = performance.now() + warningIntervalMs;
    this.#logger.warn(
      { clock_difference_ms: differenceMs },
      `this machine's clock is ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's; set both by NTP`,
    );
  }
}
