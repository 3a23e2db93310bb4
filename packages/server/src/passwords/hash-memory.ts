import type { MemoryQueue } from '../fairness/memory-queue.ts';
import { runWithMemory } from '../fairness/run-with-memory.ts';

/** Hashes that take less memory are computed without a lease, as many as there are slots. */
const largeBytesMin = 64 * 1024 * 1024;

/** A body that is carried out takes at most this many times its size; a hash takes its memory once. */
const timesOfBody = 8;

/**
 * One holder for all hashes, not one for each application: a batch of its own would keep an application's checks waiting.
 * The queue of passwords has given them their turns. An APPID has no space.
 */
const allHashes = { name: 'password hashes', partMax: 1 };

/** How long a check waits for memory at most, in milliseconds. */
const waitMsMax = 15_000;

/**
 * Bounds the memory of passwords that are checked at once. An imported hash may take 256 MiB, as much as a batch of the
 * largest size, and both together would be too much for a small process. So they take from the same memory.
 */
export class HashMemory {
  readonly #queue: MemoryQueue;
  readonly #bytesMax: number;

  /**
   * @param queue memory for large bodies that are carried out
   * @param bytesMax all of it
   */
  constructor(queue: MemoryQueue, bytesMax: number) {
    this.#queue = queue;
    this.#bytesMax = bytesMax;
  }

  /**
   * Runs a check, once there is memory for it.
   *
   * @param bytes memory that it takes
   * @param signal aborts when nobody waits for the result
   * @throws {BusyError} when there is none for 15 seconds, or the signal aborts
   */
  run<T>(bytes: number, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (bytes <= largeBytesMin) return work();
    const wanted = {
      bytes: Math.min(bytes / timesOfBody, this.#bytesMax),
      holder: allHashes,
      waitMs: waitMsMax,
      signal,
    };
    return runWithMemory(this.#queue, wanted, work);
  }
}
