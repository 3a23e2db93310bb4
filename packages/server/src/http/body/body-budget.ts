import type { ApiError } from '../../errors/api-error.ts';
import type { Holder } from '../../fairness/memory-pool.ts';
import { type Lease, MemoryQueue } from '../../fairness/memory-queue.ts';
import type { BodyMemory } from './body-memory.ts';
import { SmallBodies } from './small-bodies.ts';
import { tooMuchAtOnce } from './too-much-at-once.ts';

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
 * out. Large ones wait for each other.
 */
export class BodyBudget {
  readonly small: SmallBodies;
  readonly #large: MemoryQueue;

  /** @param nowMs a monotonic clock, in milliseconds */
  constructor({ smallBytes, largeBytes }: BodyMemory, nowMs = () => performance.now()) {
    this.small = new SmallBodies(smallBytes, nowMs);
    this.#large = new MemoryQueue(largeBytes);
  }

  /** Bytes currently held. */
  get takenBytes(): number {
    return this.small.taken + this.#large.taken;
  }

  /** Returns `undefined` when a large body would have to wait. */
  tryTakeLarge(bytes: number, holder: Holder): Lease | undefined {
    return this.#large.tryTake(bytes, holder);
  }

  /**
   * Waits until there is room for a large body.
   *
   * @returns a function that ends the wait
   */
  waitForLarge(bytes: number, holder: Holder, { onGrant, onRefusal }: WaitOutcomes): () => void {
    const refuse = (cause: string) => onRefusal(tooMuchAtOnce(cause));
    return this.#large.wait(bytes, holder, { waitMs: waitMsMax, onGrant, onRefusal: refuse });
  }
}
