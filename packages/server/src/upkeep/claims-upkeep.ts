import { setTimeout as delay } from 'node:timers/promises';
import { type Claims, clockDifferenceLimits } from '../database/database.ts';
import { atMostEvery } from '../logging/at-most-every.ts';
import type { Logger } from '../logging/logger.ts';
import { PeriodicTask } from './periodic-task.ts';

const intervalMs = 10_000;

/** Pause between two purges, so that writes and other work can go on. */
const pauseMs = 50;

/**
 * How long a claim is kept after its expiry, in seconds. A write is refused when its claim expires no later than a
 * purged one, so this must cover the allowed difference between clocks, and the time from the check of a request's
 * timestamp to its write. That writes take effect only once does not depend on it.
 */
const marginSeconds = 120;

/** A wrong clock stays wrong for a while, so one warning a minute is enough. */
const warningIntervalMs = 60_000;

/** Purges expired claims by the database's clock, and watches how far this process's clock differs from it. */
export class ClaimsUpkeep extends PeriodicTask {
  readonly #claims: Claims;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #mayWarn = atMostEvery(warningIntervalMs);

  constructor(claims: Claims, logger: Pick<Logger, 'warn'>) {
    super(() => this.#purge(), {
      intervalMs,
      onError: (error) =>
        logger.warn({ cause: String(error) }, 'expired claims were not purged; the next purge tries again'),
    });
    this.#claims = claims;
    this.#logger = logger;
  }

  /** Starts with a round at once, so that the clock difference is known when the first requests arrive. */
  override start(): void {
    super.start();
    void this.run();
  }

  async #purge(): Promise<void> {
    const nowMs = await this.#claims.databaseTimeMs();
    this.#watchClock();
    const before = Math.floor(nowMs / 1000) - marginSeconds;
    while (!this.isStopped && (await this.#claims.purge(before)) > 0) await delay(pauseMs);
  }

  #watchClock(): void {
    const differenceMs = this.#claims.clockDifferenceMs() ?? 0;
    if (Math.abs(differenceMs) <= clockDifferenceLimits.warnMs) return;
    if (!this.#mayWarn()) return;
    this.#logger.warn(
      { clock_difference_ms: differenceMs },
      `this machine's clock is ${differenceMs > 0 ? 'ahead of' : 'behind'} the database's; set both by NTP`,
    );
  }
}
