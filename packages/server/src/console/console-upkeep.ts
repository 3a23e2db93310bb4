import type { Logger } from '../logging/logger.ts';
import { PeriodicTask } from '../upkeep/periodic-task.ts';
import type { Sessions } from './sign-in/sessions.ts';

const flushIntervalMs = 60_000;
const forgetIntervalMs = 3_600_000;

/**
 * Writes the last uses of sessions, and the ends that the audit lacks, at the start and once a minute; deletes ended
 * sessions once an hour.
 */
export class ConsoleUpkeep {
  readonly #flush: PeriodicTask;
  readonly #record: PeriodicTask;
  readonly #forget: PeriodicTask;

  constructor(sessions: Sessions, logger: Logger) {
    const warn = (message: string) => (error: unknown) => logger.warn({ cause: String(error) }, message);
    this.#flush = new PeriodicTask(() => sessions.flush(), {
      intervalMs: flushIntervalMs,
      onError: warn('the times at which sessions were last used were not written'),
    });
    this.#record = new PeriodicTask(() => sessions.recordEnds(), {
      intervalMs: flushIntervalMs,
      onError: warn('ends of sessions are not yet in the audit'),
    });
    this.#forget = new PeriodicTask(() => sessions.forgetEnded(), {
      intervalMs: forgetIntervalMs,
      onError: warn('ended sessions were kept'),
    });
  }

  start(): void {
    this.#flush.start();
    this.#record.start();
    void this.#record.run();
    this.#forget.start();
  }

  /** Writes the remaining last uses. */
  async stop(): Promise<void> {
    await Promise.all([this.#flush.stop(), this.#record.stop(), this.#forget.stop()]);
    await this.#flush.run();
  }
}
