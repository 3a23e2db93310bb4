import { MemoryPool } from './memory-pool.ts';

/** Maximum number of waiters; further ones are refused. */
const waitingMax = 1_000;

/** Memory taken from a pool. */
export interface Lease {
  readonly bytes: number;
  /** Gives the memory back; calling it again does nothing. */
  release(): void;
}

/** How long to wait for memory, and what happens then, unless the wait is given up. */
export interface MemoryWait {
  readonly waitMs: number;
  readonly onGrant: (lease: Lease) => void;
  /** Called with the cause when the time is over, or almost at once when too many are waiting. */
  readonly onRefusal: (cause: string) => void;
}

interface Waiter {
  readonly bytes: number;
  readonly holder: string | undefined;
  readonly timer: NodeJS.Timeout;
  readonly onGrant: (lease: Lease) => void;
}

/** Hands out memory in order of arrival. One holder gets at most half of it, unless it takes more at once. */
export class MemoryQueue {
  readonly #pool: MemoryPool;
  readonly #waiting = new Set<Waiter>();

  constructor(bytesMax: number) {
    this.#pool = new MemoryPool(bytesMax, bytesMax / 2);
  }

  /** Bytes currently held. */
  get taken(): number {
    return this.#pool.taken;
  }

  /** Number of waiters. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Takes memory. Returns `undefined` if that would have to wait.
   *
   * @param holder left out when unknown
   */
  tryTake(bytes: number, holder: string | undefined): Lease | undefined {
    // Never overtake a waiter that lacks room in the pool; one that only exceeds its holder's share may be overtaken.
    for (const waiter of this.#waiting) if (!this.#pool.hasRoomFor(waiter.bytes)) return undefined;
    return this.#take(bytes, holder);
  }

  /**
   * Waits until there is room.
   *
   * @returns a function that ends the wait
   */
  wait(bytes: number, holder: string | undefined, { waitMs, onGrant, onRefusal }: MemoryWait): () => void {
    if (this.#waiting.size >= waitingMax) {
      queueMicrotask(() => onRefusal(`${waitingMax} bodies are already waiting`));
      return () => {};
    }
    const timer = setTimeout(() => {
      this.#leave(waiter);
      onRefusal(`no room for ${bytes} bytes within ${waitMs / 1000} seconds`);
    }, waitMs).unref();
    const waiter: Waiter = { bytes, holder, timer, onGrant };
    this.#waiting.add(waiter);
    return () => this.#leave(waiter);
  }

  #take(bytes: number, holder: string | undefined): Lease | undefined {
    if (!this.#pool.tryTake(bytes, holder)) return undefined;
    return leaseOf(this.#pool, bytes, holder, () => this.#grantWaiting());
  }

  #leave(waiter: Waiter): void {
    clearTimeout(waiter.timer);
    // Waiters behind it may need less memory, and get it now.
    if (this.#waiting.delete(waiter)) this.#grantWaiting();
  }

  /** Grants memory in order of arrival. A waiter that exceeds its holder's share lets others pass. */
  #grantWaiting(): void {
    for (const waiter of this.#waiting) {
      if (!this.#pool.hasRoomFor(waiter.bytes)) return;
      const taken = this.#take(waiter.bytes, waiter.holder);
      if (taken === undefined) continue;
      this.#waiting.delete(waiter);
      clearTimeout(waiter.timer);
      waiter.onGrant(taken);
    }
  }
}

/** Returns the lease of memory that was taken from the pool. */
export function leaseOf(
  pool: MemoryPool,
  bytes: number,
  holder: string | undefined,
  onRelease: () => void = () => {},
): Lease {
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
