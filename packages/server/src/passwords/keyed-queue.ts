import { BusyError } from '../errors/busy-error.ts';

interface Queue {
  last: Promise<unknown>;
  /** Jobs running or waiting. */
  count: number;
}

/** Runs jobs with the same key in sequence, and those with different keys concurrently. */
export class KeyedQueue {
  readonly #queues = new Map<string, Queue>();
  readonly #waitingMax: number;

  /** @param waitingMax the largest number of jobs that wait for one key */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** @throws {BusyError} when too many of the key's jobs wait */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > this.#waitingMax) {
      throw new BusyError(`${this.#waitingMax} checks of one username's password are already waiting`);
    }
    this.#queues.set(key, queue);
    queue.count += 1;
    const mine = queue.last.then(work);
    queue.last = mine.catch(() => {});
    try {
      return await mine;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(key);
    }
  }
}
