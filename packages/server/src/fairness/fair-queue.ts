import { BusyError, CallerGoneError, TooManyWaitError } from '../errors/busy-error.ts';
import { GroupedLane, type GroupedOwner } from './grouped-lane.ts';

/** Who asked for a job, and how it may wait. */
export interface JobOptions extends GroupedOwner {
  /** The application that asked for it, by its APPID. */
  readonly owner: string;
  /**
   * True for a part of a bulk call, which waits however long the queue is: its body was received, and earlier parts are
   * done. The call has few parts in the queue at once.
   */
  readonly patient?: boolean;
  /** True for work that takes longer than usual. */
  readonly costly?: boolean;
  /** Aborts when nobody waits for the result. */
  readonly signal?: AbortSignal | undefined;
  /** Refuses the work if its turn comes later. */
  readonly deadline?: { readonly remainingMs: number };
}

/** Work that waits. */
interface Job {
  readonly start: () => void;
  readonly refuse: (error: BusyError) => void;
}

export interface FairQueueOptions {
  /** The word for the waiting jobs in messages. */
  readonly things: 'passwords' | 'lists' | 'long lists' | 'dry runs';
  /** Number of jobs that run at once; at least 2. */
  readonly slots: number;
  /** Waiting jobs of one application; further ones are refused, except parts of bulk calls. */
  readonly burstMax: number;
  /** The same limit while jobs have been waiting without a break. It may change over time. */
  readonly standingMax: number;
  /** The same while more of the application's jobs are refused than started; `standingMax` by default. */
  readonly floodedMax?: number;
  /**
   * How long the queue of an application stays short after the last refusal, even if it is empty meanwhile. Jobs with a
   * group need 0, the default: a group is forgotten when nothing of it waits.
   */
  readonly calmAfterMs?: number;
}

/**
 * Runs a bounded number of jobs at once and lets applications take turns, or groups of them. Costly jobs never take the
 * last slot, so an ordinary job waits only for ordinary ones, no matter how many costly ones there are.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #lanes: Readonly<Record<'costly' | 'ordinary', GroupedLane<Job>>>;
  #running = 0;
  #costlyRunning = 0;
  #refused = 0;

  constructor(options: FairQueueOptions) {
    if (options.slots < 2) throw new RangeError('one slot of two or more must stay free of costly jobs');
    this.#options = options;
    const bounds = {
      burstMax: options.burstMax,
      calmAfterMs: options.calmAfterMs ?? 0,
      get standingMax() {
        return options.standingMax;
      },
      get floodedMax() {
        return options.floodedMax ?? options.standingMax;
      },
      refuse: ({ refuse }: Job) =>
        refuse(
          this.#countRefused(
            new TooManyWaitError(`too many ${options.things} of this application are waiting`),
          ),
        ),
    };
    this.#lanes = { costly: new GroupedLane(bounds), ordinary: new GroupedLane(bounds) };
  }

  /**
   * @throws {BusyError} when too many of the application's jobs wait,
   * or the signal aborts or the deadline passes before this one starts
   */
  run<T>(options: JobOptions, work: () => Promise<T>): Promise<T> {
    const { owner, costly = false, signal } = options;
    if (signal?.aborted) return Promise.reject(new CallerGoneError());
    const lane = costly ? this.#lanes.costly : this.#lanes.ordinary;
    if (this.#isFullFor(options, lane)) {
      lane.noteRefused(options);
      const waiting = `${this.#limitedOf(options)} ${this.#options.things} of ${owner} are already waiting`;
      return Promise.reject(this.#countRefused(new TooManyWaitError(waiting)));
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const leave = () => {
      lane.remove(options, job);
      reject(new CallerGoneError());
    };
    const stopListening = () => signal?.removeEventListener('abort', leave);
    const job: Job = {
      start: () => {
        stopListening();
        const begun = options.deadline?.remainingMs === 0 ? Promise.reject(this.#tooLate()) : work();
        begun.then(resolve, reject).finally(() => this.#end(costly));
      },
      refuse: (error) => {
        stopListening();
        reject(error);
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    lane.add(options, job, { patient: options.patient ?? false });
    this.#startNext();
    return promise;
  }

  /** Jobs of all applications that wait for a slot. */
  get waiting(): number {
    return this.#lanes.costly.size + this.#lanes.ordinary.size;
  }

  /** Slots in use. */
  get running(): number {
    return this.#running;
  }

  /** Jobs refused so far, because too many were waiting or because they had waited too long. */
  get refused(): number {
    return this.#refused;
  }

  #tooLate(): BusyError {
    return this.#countRefused(
      new BusyError(`the call waited too long in the queue for ${this.#options.things}`),
    );
  }

  #countRefused<E extends BusyError>(error: E): E {
    this.#refused += 1;
    return error;
  }

  #isFullFor(job: JobOptions, lane: GroupedLane<Job>): boolean {
    if (job.patient === true) return false;
    return this.#limitedOf(job) >= this.#options.burstMax || lane.isFullFor(job);
  }

  #limitedOf(owner: GroupedOwner): number {
    return this.#lanes.costly.limitedOf(owner) + this.#lanes.ordinary.limitedOf(owner);
  }

  #startNext(): void {
    const { costly, ordinary } = this.#lanes;
    while (this.#running < this.#options.slots) {
      const costlyJob = this.#costlyRunning < this.#options.slots - 1 ? costly.take() : undefined;
      const job = costlyJob ?? ordinary.take();
      if (job === undefined) return;
      this.#running += 1;
      if (costlyJob !== undefined) this.#costlyRunning += 1;
      job.start();
    }
  }

  #end(costly: boolean): void {
    this.#running -= 1;
    if (costly) this.#costlyRunning -= 1;
    this.#startNext();
  }
}
