import { ApiError } from '../../api-error.ts';
import type { BodyMemory } from './body-memory.ts';
import { MemoryPool } from './memory-pool.ts';

/** Longest time that a large body waits for memory, in milliseconds: longer than a stalled one can hold it. */
const waitMsMax = 15_000;

/** Bodies that may wait at once; one more is refused. */
const waitingMax = 1_000;

interface Waiter {
  readonly bytes: number;
  readonly holder: string | undefined;
  readonly timer: NodeJS.Timeout;
  readonly grant: (lease: Lease) => void;
}

/** Memory that a body holds, or will hold. */
export interface Lease {
  readonly bytes: number;
  release(): void;
}

/**
 * Hands out the memory for request bodies. Small bodies have a reserve of their own, so that stalled large
 * ones never keep them out; large ones wait for each other. One address gets half of either at most.
 */
export class BodyBudget {
  readonly #small: MemoryPool;
  readonly #large: MemoryPool;
  readonly #waiting = new Set<Waiter>();

  constructor({ smallBytes, largeBytes }: BodyMemory) {
    this.#small = new MemoryPool(smallBytes, smallBytes / 2);
    this.#large = new MemoryPool(largeBytes, largeBytes / 2);
  }

  /** Bytes that are held right now. */
  get takenBytes(): number {
    return this.#small.taken + this.#large.taken;
  }

  /** @throws {ApiError} 1503 when the reserve for small bodies, or the holder's half of it, is used up */
  takeSmall(bytes: number, holder: string | undefined): Lease {
    if (!this.#small.tryTake(bytes, holder)) throw tooMuchAtOnce('the reserve for small bodies is used up');
    return lease(this.#small, bytes, holder, () => {});
  }

  /** Returns nothing when a large body would have to wait. */
  tryTakeLarge(bytes: number, holder: string | undefined): Lease | undefined {
    // Nobody overtakes one that waits for room, and not for its holder's share.
    for (const waiter of this.#waiting) if (!this.#large.hasRoomFor(waiter.bytes)) return undefined;
    return this.#takeLarge(bytes, holder);
  }

  /**
   * Waits until there is room for a large body.
   *
   * @param refuse is called with 1503 after 15 seconds, or soon when too many wait
   * @returns ends the waiting
   */
  waitForLarge(
    bytes: number,
    holder: string | undefined,
    grant: (lease: Lease) => void,
    refuse: (refusal: ApiError) => void,
  ): () => void {
    if (this.#waiting.size >= waitingMax) {
      queueMicrotask(() => refuse(tooMuchAtOnce(`${waitingMax} bodies wait already`)));
      return () => {};
    }
    const timer = setTimeout(() => {
      this.#leave(waiter);
      refuse(tooMuchAtOnce(`no room for ${bytes} bytes within ${waitMsMax / 1000} seconds`));
    }, waitMsMax).unref();
    const waiter: Waiter = { bytes, holder, timer, grant };
    this.#waiting.add(waiter);
    return () => this.#leave(waiter);
  }

  #takeLarge(bytes: number, holder: string | undefined): Lease | undefined {
    if (!this.#large.tryTake(bytes, holder)) return undefined;
    return lease(this.#large, bytes, holder, () => this.#grantWaiting());
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    // Those behind it may ask for less.
    if (this.#waiting.delete(waiter)) this.#grantWaiting();
  }

  /** In the order in which they came; one that waits for its holder's share lets others pass. */
  #grantWaiting(): void {
    for (const waiter of this.#waiting) {
      if (!this.#large.hasRoomFor(waiter.bytes)) return;
      const taken = this.#takeLarge(waiter.bytes, waiter.holder);
      if (taken === undefined) continue;
      this.#waiting.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.grant(taken);
    }
  }
}

function lease(pool: MemoryPool, bytes: number, holder: string | undefined, onRelease: () => void): Lease {
  let held = true;
  return {
    bytes,
    release() {
      if (!held) return;
      held = false;
      pool.give(bytes, holder);
      onRelease();
    },
  };
}

function tooMuchAtOnce(cause: string): ApiError {
  return new ApiError(
    1503,
    'the server is receiving too much at once; send the same request again in a moment',
    { cause, retryAfterSeconds: 1 },
  );
}
