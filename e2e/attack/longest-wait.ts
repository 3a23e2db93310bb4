import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { atScale } from '../../scripts/testing/full-scale.ts';

/** The longest duration of a trivial request, in milliseconds. */
export interface Waits {
  /** How long its client waited. Includes the work of other programs on a busy machine. */
  readonly wallMs: number;
  /**
   * How long the server's event loop worked during the request. Includes what it did after its answer until the client
   * saw that, so a client without a processor makes it longer.
   */
  readonly workMs: number;
}

/** What the thread that sends the requests needs to know. */
export interface AskedServer {
  /** Where it answers a trivial request. */
  readonly href: string;
  readonly pid: number;
  /** How long to rest between two requests. */
  readonly restMs: number;
}

/**
 * Rest for tests that judge the waits only at full size. At bounded size, requests without a rest would only take
 * processor time from the tests beside them.
 */
export const restUnlessFull = atScale({ bounded: 50, full: 0 });

/** Ends the requests of a measurement. */
export const enough = 'enough';

/** How long the event loop may work before it answers another client, in milliseconds, above its work when idle. */
export const workMsMax = 50;

/**
 * Measures what another client sees while the server does other work. This client has its own thread, because a test that
 * writes and signs large bodies sees answers late.
 */
export class LongestWait {
  readonly #thread: Worker;
  #idleMs = 0;

  constructor({ url, pid }: { readonly url: string; readonly pid: number }, restMs = 0) {
    const workerData: AskedServer = { href: new URL('/healthz', url).href, pid, restMs };
    this.#thread = new Worker(join(import.meta.dirname, 'ask-repeatedly.ts'), { workerData });
    // A test that fails before it closes this must end all the same.
    this.#thread.unref();
  }

  /** Sends requests while the server does nothing else. {@link isTooLong} compares with the longest. */
  async learnIdle(times = 200): Promise<Waits> {
    const idle = await this.during(Promise.resolve(), times);
    this.#idleMs = idle.workMs;
    return idle;
  }

  isTooLong({ workMs }: Waits, aboveIdleMs = workMsMax): boolean {
    return workMs >= this.#idleMs + aboveIdleMs;
  }

  /** Sends requests until the work is done, and at least this many. */
  async during(work: Promise<unknown>, timesMin = 0): Promise<Waits> {
    this.#thread.ref();
    const measured = once(this.#thread, 'message') as Promise<[Waits]>;
    this.#thread.postMessage(timesMin);
    const over = work.finally(() => this.#thread.postMessage(enough));
    // Waits for both even if one fails: a late message would answer the next measurement.
    await Promise.allSettled([over, measured]);
    this.#thread.unref();
    await over;
    const [longest] = await measured;
    return longest;
  }

  close(): void {
    void this.#thread.terminate();
  }
}

/** Returns the words of a figure in a test's output. */
export function wordsOf({ workMs, wallMs }: Waits): string {
  return `${workMs.toFixed(1)} ms of work at once (${wallMs.toFixed(1)} ms waited)`;
}
