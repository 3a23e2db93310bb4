export interface PeriodicTaskOptions {
  /** Time between the starts of two runs. If a run takes longer, the starts that fall into it are skipped. */
  readonly intervalMs: number;
  /** Receives what the work throws. The next run starts as usual. */
  readonly onError: (error: unknown) => void | Promise<void>;
}

/** Work that is repeated in the background, and never runs twice at once. It does not keep the process alive. */
export class PeriodicTask {
  readonly #work: () => Promise<unknown>;
  readonly #options: PeriodicTaskOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(work: () => Promise<unknown>, options: PeriodicTaskOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Begins to repeat the work. The first run comes after the interval. */
  start(): void {
    this.#timer = setInterval(() => void this.run(), this.#options.intervalMs).unref();
  }

  /** True from the beginning of `stop`; long work should end then. */
  protected get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Ends the repetition. Resolves once no run is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Runs the work now, or joins the run under way. Never rejects, unless `onError` throws. */
  run(): Promise<void> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runOnce(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      await this.#options.onError(error);
    }
  }
}
