import type { Logger } from '../logging/logger.ts';
import { PeriodicTask } from '../upkeep/periodic-task.ts';
import type { Sessions } from './sessions.ts';

const flushIntervalMs = 60_000;
const forgetIntervalMs = 3_600_000;

/** Writes the last uses of sessions once a minute, and deletes ended sessions once an hour. */
export class ConsoleUpkeep {
  readonly #flush: PeriodicTask;
  readonly #forget: PeriodicTask;

  constructor(sessions: Sessions, logger: Logger) {
    const warn = (message: string) => (error: unknown) => logger.warn({ cause: String(error) }, message);
    this.#flush = new PeriodicTask(() => sessions.flush(), {
      intervalMs: flushIntervalMs,
      onError: warn('last uses of sessions were not written'),
    });
    this.#forget = new PeriodicTask(() => sessions.forgetEnded(), {
      intervalMs: forgetIntervalMs,
      onError: warn('ended sessions were kept'),
    });
  }

  start(): void {
    this.#flush.start();
    this.#forget.start();
  }

  /** Writes the remaining last uses. */
  async stop(): Promise<void> {
    await Promise.all([this.#flush.stop(), this.#forget.stop()]);
    await this.#flush.run();
  }
}
