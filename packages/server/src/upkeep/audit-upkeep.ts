import { setTimeout as delay } from 'node:timers/promises';
import type { Claims, Database } from '../database/database.ts';
import type { Logger } from '../logging/logger.ts';
import { PeriodicTask } from './periodic-task.ts';
import { type SteadyClock, steadyClockFor } from './steady-clock.ts';

const intervalMs = 60_000;

/** Long enough that another process does not mistake a slow round for one that has ended. */
const restMs = 60_000;

/** Pause between two purges, so that writes and other work can go on. */
const pauseMs = 50;

const dayMs = 86_400_000;

type AuditDatabase = Pick<Database, 'auditRetention'> & {
  readonly claims: Pick<Claims, 'databaseTimeMs'>;
  readonly bookkeeping: Pick<Database['bookkeeping'], 'entryCounts'>;
};

interface Options {
  /** Days that audit rows are kept; 0 keeps them forever. */
  readonly keepDays: number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Waits between two purges, in milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** A monotonic clock, in milliseconds. */
  readonly elapsedMs?: () => number;
}

/**
 * Purges audit rows that are older than the operator wants to keep, by the database's clock, in small steps. Purged rows
 * do not come back when a clock is set back, so a leap ahead is not followed at once.
 */
export class AuditUpkeep extends PeriodicTask {
  readonly #database: AuditDatabase;
  readonly #keepDays: number;
  readonly #logger: Options['logger'];
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #clock: SteadyClock;

  constructor(database: AuditDatabase, { keepDays, logger, pause = delay, elapsedMs }: Options) {
    super(() => this.#round(), {
      intervalMs,
      onError: (error) =>
        logger.warn({ cause: String(error) }, 'old audit rows were not purged; the next purge tries again'),
    });
    this.#database = database;
    this.#keepDays = keepDays;
    this.#logger = logger;
    this.#pause = pause;
    this.#clock = steadyClockFor(database, elapsedMs);
  }

  override start(): void {
    if (this.#keepDays === 0) return;
    super.start();
    void this.run();
  }

  async #round(): Promise<void> {
    const { auditRetention } = this.#database;
    if (!(await auditRetention.beginRound(await this.#purge(), restMs))) return;
    let rows = 0;
    for (let purged = 1; purged > 0 && !this.isStopped; await this.#pause(pauseMs)) {
      purged = await auditRetention.purge(await this.#purge());
      rows += purged;
    }
    this.#logger.info({ rows, keep_days: this.#keepDays }, 'old audit rows were purged');
  }

  async #purge() {
    const nowMs = await this.#database.claims.databaseTimeMs();
    return { nowMs, beforeMs: (await this.#clock.follow(nowMs)) - this.#keepDays * dayMs };
  }
}
