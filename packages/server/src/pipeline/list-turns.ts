import type { Database } from '../database/database.ts';
import { FairQueue } from '../fairness/fair-queue.ts';
import { threadMs, WorkPace } from '../fairness/work-pace.ts';
import type { MetricSource } from '../metrics/metric-source.ts';
import type { Call } from './call.ts';
import { perOperation } from './per-operation.ts';

/** Lists of one application that may wait in a burst. */
const burstMax = 500;

/** Lists of one application that may wait however slowly they are answered. */
const standingLeast = 4;

/**
 * How long a queue that was cut stays short. It empties within milliseconds, before those who were refused come again:
 * without this time, it would grow as in a burst over and over.
 */
const calmAfterMs = 1_000;

const isList = perOperation(({ query }) => query !== undefined && 'cursor' in query.properties);

/**
 * Lets lists wait before anything is read for them, and applications take turns. Rows of lists that all wait for the event
 * loop would outlive a collection of young objects, and the garbage collector would take a third of the processor.
 */
export class ListTurns {
  readonly #queue: FairQueue | undefined;
  readonly #pace = new WorkPace();

  /**
   * @param database bounds the lists in progress, unless its connections do so
   * @param waitMaxMs how long a list may wait under overload, in milliseconds of processor time
   */
  constructor({ listsAtOnce }: Pick<Database, 'listsAtOnce'>, waitMaxMs: number) {
    const pace = this.#pace;
    pace.begin(threadMs());
    if (listsAtOnce === undefined) return;
    this.#queue = new FairQueue({
      things: 'lists',
      slots: listsAtOnce,
      waitingMax: burstMax,
      calmAfterMs,
      get standingMax() {
        return Math.max(standingLeast, Math.floor(pace.perMs * waitMaxMs));
      },
    });
  }

  metricSources(): readonly MetricSource[] {
    return [
      {
        type: 'gauge',
        name: 'fieldroster_queued_lists',
        help: 'Lists that wait until one of those in progress ends; on SQLite',
        ofWorkers: 'sum',
        read: () => this.#queue?.waiting ?? 0,
      },
    ];
  }

  /**
   * Runs the work of a call, if it is a list in its turn, and otherwise at once.
   *
   * @throws {TooManyWaitError} when too many lists of the application wait
   */
  run<T>(call: Call, owner: string, work: () => Promise<T>): Promise<T> {
    if (this.#queue === undefined || !isList[call.key]) return work();
    return this.#queue.run({ owner, signal: call.disconnectSignal() }, async () => {
      const result = await work();
      this.#pace.note(threadMs(), 1);
      return result;
    });
  }
}
