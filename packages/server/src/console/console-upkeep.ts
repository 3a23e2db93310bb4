import type { Logger } from '../logger.ts';
import type { Sessions } from './sessions.ts';

const flushIntervalMs = 60_000;
const forgetIntervalMs = 3_600_000;

/** Writes the last uses of sessions once a minute, and deletes ended sessions once an hour. */
export class ConsoleUpkeep {
  readonly #sessions: Sessions;
  readonly #logger: Logger;
  #timers: NodeJS.Timeout[] = [];

  constructor(sessions: Sessions, logger: Logger) {
    this.#sessions = sessions;
    this.#logger = logger;
  }

  start(): void {
    this.#timers = [
      setInterval(() => this.#flush(), flushIntervalMs).unref(),
      setInterval(() => this.#forget(), forgetIntervalMs).unref(),
    ];
  }

  /** Writes the remaining last uses. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    await this.#flush();
  }

  #flush(): Promise<void> {
    return this.#sessions
      .flush()
      .catch((error) => this.#warn(error, 'last uses of sessions were not written'));
  }

  #forget(): Promise<void> {
    return this.#sessions.forgetEnded().catch((error) => this.#warn(error, 'ended sessions were kept'));
  }

  #warn(error: unknown, message: string): void {
    this.#logger.warn({ cause: String(error) }, message);
  }
}
