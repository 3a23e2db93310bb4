/** How long a worker must have served to count as one that starts well, in milliseconds. */
const steadyMs = 60_000;

/** The first pause and the longest one, in milliseconds. The service must return soon after the cause is gone. */
const pauseMsBase = 200;
const pauseMsMax = 15_000;

/** The plan after the end of a worker. */
export interface RestartPlan {
  /** How many workers have ended in this place, none of which served for long. */
  readonly endsInARow: number;
  /** How long to wait before the next start, in milliseconds. */
  readonly pauseMs: number;
}

/**
 * Decides when to start the next worker in the place of one that ended: at once after the first end, then after a
 * growing pause, so that a worker that always fails is not started in a loop. A worker that serves for a minute starts
 * the count again.
 */
export class RestartPause {
  #endsInARow = 0;

  /** @param servedMs how long the worker that ended has served; 0 if it never did */
  planAfter(servedMs: number): RestartPlan {
    if (servedMs >= steadyMs) this.#endsInARow = 0;
    this.#endsInARow += 1;
    const endsInARow = this.#endsInARow;
    const pauseMs = endsInARow === 1 ? 0 : Math.min(pauseMsMax, pauseMsBase * 2 ** (endsInARow - 1));
    return { endsInARow, pauseMs };
  }
}
