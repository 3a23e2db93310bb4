import { randomUUID } from 'node:crypto';
import type { RateReportBoard, RateReports } from '../database/database.ts';
import { PeriodicTask } from '../upkeep/periodic-task.ts';
import type { RateLimits } from './rate-limits.ts';
import type { WorkerReports } from './worker-reports.ts';

/** How often reports are exchanged. At this pace the processes hold a limit to within 10 % over a minute. */
const intervalMs = 500;

export interface RateExchangeParts {
  readonly limits: RateLimits;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The other workers of the supervisor, if there is one. */
  readonly workers?: WorkerReports | undefined;
  /** Exchanges reports with the other nodes; absent on an engine that serves only one node. */
  readonly board?: RateReportBoard | undefined;
  readonly warn: (error: unknown) => void;
}

/**
 * Exchanges reports of the rate limits with the other workers and nodes, in the background. While an exchange fails,
 * this process keeps its last share.
 */
export class RateExchange {
  readonly #parts: RateExchangeParts;
  readonly #process = randomUUID();
  #remote: RateReports = {};
  readonly #task: PeriodicTask;

  constructor(parts: RateExchangeParts) {
    this.#parts = parts;
    this.#task = new PeriodicTask(() => this.#exchange(), { intervalMs, onError: parts.warn });
  }

  start(): void {
    this.#task.start();
  }

  /** Resolves once no exchange is under way. */
  stop(): Promise<void> {
    return this.#task.stop();
  }

  /** Runs one exchange, or joins the one under way. Never rejects. */
  run(): Promise<void> {
    return this.#task.run();
  }

  async #exchange(): Promise<void> {
    const { limits, now, workers, board } = this.#parts;
    const own = { [this.#process]: limits.report(now()) };
    workers?.publish(own);
    const siblings = workers?.siblings ?? {};
    if (board !== undefined && workers?.isLeader !== false) {
      const ofThisNode = withUse({ ...siblings, ...own });
      // Without a limited request there is nothing to share, and no reason for a commit.
      if (Object.keys(ofThisNode).length > 0) this.#remote = await board.exchange(ofThisNode);
      workers?.publish(own, this.#remote);
    }
    const remote = workers?.isLeader === false ? workers.remote : this.#remote;
    limits.learn({ ...siblings, ...remote }, now());
  }
}

function withUse(reports: RateReports): RateReports {
  return Object.fromEntries(Object.entries(reports).filter(([, report]) => Object.keys(report).length > 0));
}
