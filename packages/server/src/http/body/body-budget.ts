import { ApiError } from '../../errors/api-error.ts';
import type { BodyMemory } from './body-memory.ts';
import { MemoryPool } from './memory-pool.ts';

/** Longest time that a large body waits for memory, in milliseconds. A stalled body cannot hold memory that long. */
const waitMsMax = 15_000;

/** Maximum number of bodies waiting at once; further ones are refused. */
const waitingMax = 1_000;

interface Waiter {
  readonly bytes: number;
  readonly holder: string | undefined;
  readonly timer: NodeJS.Timeout;
  readonly onGrant: (lease: Lease) => void;
}

/** How a wait for memory ends, unless it is given up. */
interface WaitOutcomes {
  readonly onGrant: (lease: Lease) => void;
  /** Called with 1503 after 15 seconds, or almost at once when too many are waiting. */
  readonly onRefusal: (refusal: ApiError) => void;
}

/** Memory reserved for a body. */
export interface Lease {
  readonly bytes: number;
  release(): void;
}

/**
 * Hands out the memory for request bodies. Small bodies have their own reserve, so stalled large ones never keep them
 * out. Large ones wait for each other. One address gets at most half of either.
 */
export class BodyBudget {
  readonly #small: MemoryPool;
  readonly #large: MemoryPool;
  readonly #waiting = new Set<Waiter>();

  constructor({ smallBytes, largeBytes }: BodyMemory) {
    this.#small = new MemoryPool(smallBytes, smallBytes / 2);
    this.#large = new MemoryPool(largeBytes, largeBytes / 2);
  }

  /** Bytes currently held. */
  get takenBytes(): number {
    return this.#small.taken + this.#large.taken;
  }

  /** @throws {ApiError} 1503 when the reserve for small bodies, or the holder's half of it, is used up */
  takeSmall(bytes: number, holder: string | undefined): Lease {
    if (!this.#small.tryTake(bytes, holder)) throw tooMuchAtOnce('the reserve for small bodies is used up');
    return lease(this.#small, bytes, holder, () => {});
  }

  /** Returns `undefined` when a large body would have to wait. */
  tryTakeLarge(bytes: number, holder: string | undefined): Lease | undefined {
    // Never overtake a waiter that lacks room in the pool; one that only exceeds its holder's share may be overtaken.
    for (const waiter of this.#waiting) if (!this.#large.hasRoomFor(waiter.bytes)) return undefined;
    return this.#takeLarge(bytes, holder);
  }

  /**
   * Waits until there is room for a large body.
   *
   * @returns a function that ends the wait
   */
  waitForLarge(bytes: number, holder: string | undefined, { onGrant, onRefusal }: WaitOutcomes): () => void {
    if (this.#waiting.size >= waitingMax) {
      queueMicrotask(() => onRefusal(tooMuchAtOnce(`${waitingMax} bodies are already waiting`)));
      return () => {};
    }
    const timer = setTimeout(() => {
      this.#leave(waiter);
      onRefusal(tooMuchAtOnce(`no room for ${bytes} bytes within ${waitMsMax / 1000} seconds`));
    }, waitMsMax).unref();
    const waiter: Waiter = { bytes, holder, timer, onGrant };
    this.#waiting.add(waiter);
    return () => this.#leave(waiter);
  }

  #takeLarge(bytes: number, holder: string | undefined): Lease | undefined {
    if (!this.#large.tryTake(bytes, holder)) return undefined;
    return lease(this.#large, bytes, holder, () => this.#grantWaiting());
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    // Waiters behind it may need less memory, and get it now.
    if (this.#waiting.delete(waiter)) this.#grantWaiting();
  }

  /** Grants memory in order of arrival. A waiter that exceeds its holder's share lets others pass. */
  #grantWaiting(): void {
    for (const waiter of this.#waiting) {
      if (!this.#large.hasRoomFor(waiter.bytes)) return;
      const taken = this.#takeLarge(waiter.bytes, waiter.holder);
      if (taken === undefined) continue;
      this.#waiting.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.onGrant(taken);
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
