import { ApiError } from '../../errors/api-error.ts';
import { MemoryPool } from '../../fairness/memory-pool.ts';
import { type Lease, leaseOf, MemoryQueue } from '../../fairness/memory-queue.ts';
import type { BodyMemory } from './body-memory.ts';

/** Longest time that a large body waits for memory, in milliseconds. A stalled body cannot hold memory that long. */
const waitMsMax = 15_000;

/** How a wait for memory ends, unless it is given up. */
interface WaitOutcomes {
  readonly onGrant: (lease: Lease) => void;
  /** Called with 1503 after 15 seconds, or almost at once when too many are waiting. */
  readonly onRefusal: (refusal: ApiError) => void;
}

/**
 * Hands out the memory for request bodies. Small bodies have their own reserve, so stalled large ones never keep them
 * out. Large ones wait for each other. One address gets at most half of either.
 */
export class BodyBudget {
  readonly #small: MemoryPool;
  readonly #large: MemoryQueue;

  constructor({ smallBytes, largeBytes }: BodyMemory) {
    this.#small = new MemoryPool(smallBytes, smallBytes / 2);
    this.#large = new MemoryQueue(largeBytes);
  }

  /** Bytes currently held. */
  get takenBytes(): number {
    return this.#small.taken + this.#large.taken;
  }

  /** @throws {ApiError} 1503 when the reserve for small bodies, or the holder's half of it, is used up */
  takeSmall(bytes: number, holder: string | undefined): Lease {
    if (!this.#small.tryTake(bytes, holder)) throw tooMuchAtOnce('the reserve for small bodies is used up');
    return leaseOf(this.#small, bytes, holder);
  }

  /** Returns `undefined` when a large body would have to wait. */
  tryTakeLarge(bytes: number, holder: string | undefined): Lease | undefined {
    return this.#large.tryTake(bytes, holder);
  }

  /**
   * Waits until there is room for a large body.
   *
   * @returns a function that ends the wait
   */
  waitForLarge(bytes: number, holder: string | undefined, { onGrant, onRefusal }: WaitOutcomes): () => void {
    const refuse = (cause: string) => onRefusal(tooMuchAtOnce(cause));
    return this.#large.wait(bytes, holder, { waitMs: waitMsMax, onGrant, onRefusal: refuse });
  }
}

function tooMuchAtOnce(cause: string): ApiError {
  return new ApiError(
    1503,
    'the server is receiving too much at once; send the same request again in a moment',
    { cause, retryAfterSeconds: 1 },
  );
}
