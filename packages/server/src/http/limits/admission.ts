import type { Settings } from '../../config.ts';
import { OverloadDetector } from '../../fairness/overload-detector.ts';
import { atMostEvery } from '../../logging/at-most-every.ts';
import type { Logger } from '../../logging/logger.ts';
import type { MetricSource } from '../../metrics/metric-source.ts';
import { IterationSize } from './iteration-size.ts';

/** Requests that may wait in a burst. */
const burstMax = 8_192;

/** Requests that may wait however slowly they are handled. */
const overloadedLeast = 4;

/** Overload ends after this time with no refusal and a queue that was sometimes empty. */
const calmAfterMs = 1_000;

export interface AdmissionOptions {
  /** How long requests may wait once they have waited for longer than a burst lasts, in milliseconds of work. */
  readonly waitMaxMs: number;
  /** Called at most every ten seconds, with the number of requests refused so far. */
  readonly onRefused: (count: number) => void;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  readonly iterationSize?: IterationSize;
}

const reportIntervalMs = 10_000;

/**
 * Decides whether a request may wait in the queue. It knows nothing of the request, because nothing is verified yet:
 * an APPID could be somebody else's.
 *
 * Requests wait because the event loop is late. Bursts may wait.
 * Under overload, which {@link OverloadDetector} tells from a burst at the end of each iteration, the queue is cut
 * to what is handled in the allowed time, the oldest requests first, until no request had to be refused for a second.
 * A length, computed from the pace, lets an excess request be refused when it arrives instead of after it has waited.
 *
 * Requests also wait in sockets while an iteration of the event loop lasts,
 * so {@link IterationSize} bounds how many are handled in one.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #now: () => number;
  readonly #iterationSize: IterationSize;
  readonly #overload = new OverloadDetector(calmAfterMs);
  /** Whether the iteration that ended last left the queue overloaded. */
  #isOverloaded = false;
  #waiting = 0;
  #refused = 0;
  readonly #mayReport: () => boolean;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#iterationSize = options.iterationSize ?? new IterationSize();
    this.#mayReport = atMostEvery(reportIntervalMs, this.#now);
  }

  /** Maximum number of requests to handle in this iteration. */
  get requestsPerIteration(): number {
    return this.#iterationSize.max;
  }

  /** Notes that the first iteration with a connection or a request has begun. */
  begin(): void {
    this.#iterationSize.begin();
  }

  /**
   * Decides about a request that cannot be handled at once.
   *
   * @param waiting requests that wait already
   * @param bodyFits whether there is memory for the start of its body
   */
  admits(waiting: number, bodyFits = true): boolean {
    if (waiting === 0) this.#overload.noteFirst(this.#now());
    if (bodyFits && waiting < (this.#isOverloaded ? this.#overloadedMax : burstMax)) return true;
    this.#noteRefused(1);
    return false;
  }

  /**
   * @param waiting requests that wait
   * @returns how many of them may not wait any longer
   */
  takeExcess(waiting: number): number {
    const excess = this.#isOverloaded ? Math.max(0, waiting - this.#overloadedMax) : 0;
    if (excess > 0) this.#noteRefused(excess);
    return excess;
  }

  /** Notes that a verified request was refused, because what it needs has too much to do. */
  noteBusy(): void {
    if (this.#isOverloaded) this.#iterationSize.noteBusy();
  }

  /**
   * @param handled requests handled in this iteration
   * @param waiting requests that wait after it
   */
  endIteration(handled: number, waiting: number): void {
    const nowMs = this.#now();
    this.#waiting = waiting;
    this.#iterationSize.endIteration(handled);
    if (waiting === 0) this.#overload.noteEmpty();
    if (this.#overload.isStanding(nowMs)) this.#overload.extend(nowMs);
    this.#isOverloaded = this.#overload.isOverloaded(nowMs);
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'counter',
        name: 'fieldroster_admission_refused_total',
        help: 'Requests refused with 1503 before anything looked at them, because too many waited',
        read: () => this.#refused,
      },
      {
        type: 'gauge',
        name: 'fieldroster_admission_waiting',
        help: 'Requests that wait in the queue before anything looks at them',
        ofWorkers: 'sum',
        read: () => this.#waiting,
      },
    ];
  }

  get #overloadedMax(): number {
    return Math.max(overloadedLeast, Math.floor(this.#iterationSize.perMs * this.#options.waitMaxMs));
  }

  #noteRefused(count: number): void {
    this.#refused += count;
    if (this.#isOverloaded) this.#overload.extend(this.#now());
    if (this.#mayReport()) this.#options.onRefused(this.#refused);
  }
}

/** Returns the admission of one listener, which logs how many requests it refused. */
export function createAdmission(
  { overloadWaitMs }: Pick<Settings, 'overloadWaitMs'>,
  logger: Pick<Logger, 'warn'>,
): Admission {
  return new Admission({
    waitMaxMs: overloadWaitMs,
    onRefused: (count) => logger.warn({ refused: count }, `${count} requests refused so far: overloaded`),
  });
}
