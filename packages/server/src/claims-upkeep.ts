import { type Claims, clockDifferenceLimits } from './database/database.ts';
import type { Logger } from './logger.ts';

const intervalMs = 10_000;

/**
 * How long after its expiry a claim is kept, in seconds. A write is refused when its claim expires no later than a
 * purged one, so that this must cover the allowed difference between clocks, and the time between the check of a
 * request's timestamp and its write. It is no part of what makes writes take effect once.
 */
const marginSeconds = 120;

/** A clock that is wrong stays wrong for a while; one line a minute tells of it. */
const warningIntervalMs = 60_000;

/** Purges expired claims by the database's clock, and watches how far this process's clock is from it. */
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

  /** Begins at once, so that the difference of the clocks is known when the first requests come. */
  start(): void {
    this.#timer = setInterval(() => void this.run(), intervalMs).unref();
    void this.run();
  }

  /** Ends once no purge is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** One round, or the one that is under way; it never rejects. */
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
    // Measured by a clock that no correction moves.
    if (performance.now() < this.#warnAgainAtMs) return;
    this.#warnAgainAtMs = performance.now() + warningIntervalMs;
    this.#logger.warn(
      { clock_difference_ms: differenceMs },
      `this machine's clock is ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's; set both by NTP`,
    );
  }
}
