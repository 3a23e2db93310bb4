/** Where threads wait for each other, again and again. */
export class ThreadMeeting {
  readonly #counts: Int32Array;
  readonly #threads: number;
  #meetings = 0;

  /** @param counts shared by the threads: how many have arrived, and how many are awake */
  constructor(counts: Int32Array, threads: number) {
    this.#counts = counts;
    this.#threads = threads;
  }

  /**
   * Waits until every thread has called it as often as this one. The threads sleep until the last one arrives. Then each
   * keeps its processor until all are awake, so that all go on within microseconds.
   */
  meet(): void {
    this.#meetings += 1;
    const all = this.#meetings * this.#threads;
    if (Atomics.add(this.#counts, 0, 1) + 1 === all) Atomics.notify(this.#counts, 0);
    for (let arrived = 0; arrived < all; arrived = Atomics.load(this.#counts, 0))
      Atomics.wait(this.#counts, 0, arrived);
    Atomics.add(this.#counts, 1, 1);
    while (Atomics.load(this.#counts, 1) < all);
  }
}
