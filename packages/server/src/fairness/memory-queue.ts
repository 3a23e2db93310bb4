import { MemoryPool } from './memory-pool.ts';

/** Limit on waiters. Beyond it, a holder that waits already is refused; any other may add one waiter. */
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
  readonly timer: NodeJS.Timeout;
  readonly onGrant: (lease: Lease) => void;
}

/** Unknown holders count as one, which has no limit. */
type Holder = string | undefined;

/**
 * Hands out memory. One holder gets at most half of it, unless a single request is larger than that half. Holders take
 * turns: the next is the one that was served the longest time ago. If there is no room for it, the others wait too.
 */
export class MemoryQueue {
  readonly #pool: MemoryPool;
  readonly #waiting = new Map<Holder, Set<Waiter>>();
  /** The turns of the holders that wait or have memory. */
  readonly #turns = new Map<Holder, { lastTurn: number; leases: number }>();
  #turn = 0;
  #count = 0;

  constructor(bytesMax: number) {
    this.#pool = new MemoryPool(bytesMax, bytesMax / 2);
  }

  /** Bytes currently held. */
  get taken(): number {
    return this.#pool.taken;
  }

  /** Number of waiters. */
  get waiting(): number {
    return this.#count;
  }

  /** Takes memory. Returns `undefined` if that would have to wait. */
  tryTake(bytes: number, holder: Holder): Lease | undefined {
    if (this.#waiting.has(holder)) return undefined;
    // One that only exceeds its share may be overtaken.
    for (const [other, [first]] of this.#waiting)
      if (first && this.#isBefore(other, holder) && !this.#pool.hasRoomFor(first.bytes)) return undefined;
    return this.#take(bytes, holder);
  }

  /**
   * Waits until there is room.
   *
   * @returns a function that ends the wait
   */
  wait(bytes: number, holder: Holder, { waitMs, onGrant, onRefusal }: MemoryWait): () => void {
    const own = this.#waiting.get(holder) ?? new Set();
    if (this.#count >= waitingMax && own.size > 0) {
      queueMicrotask(() => onRefusal(`${this.#count} others are already waiting for memory`));
      return () => {};
    }
    const timer = setTimeout(() => {
      this.#leave(holder, waiter);
      onRefusal(`no memory for ${bytes} bytes became free within ${Math.ceil(waitMs / 1000)} seconds`);
    }, waitMs).unref();
    const waiter: Waiter = { bytes, timer, onGrant };
    this.#waiting.set(holder, own.add(waiter));
    if (!this.#turns.has(holder)) this.#turns.set(holder, { lastTurn: this.#newcomersTurn, leases: 0 });
    this.#count += 1;
    return () => this.#leave(holder, waiter);
  }

  #isBefore(other: Holder, holder: Holder): boolean {
    return this.#lastTurn(other) <= this.#lastTurn(holder);
  }

  #lastTurn(holder: Holder): number {
    return this.#turns.get(holder)?.lastTurn ?? this.#newcomersTurn;
  }

  /** A newcomer comes just before the holder that was served last, and after all others. */
  get #newcomersTurn(): number {
    return this.#turn - 0.5;
  }

  #take(bytes: number, holder: Holder): Lease | undefined {
    if (!this.#pool.tryTake(bytes, holder)) return undefined;
    this.#turn += 1;
    const leases = (this.#turns.get(holder)?.leases ?? 0) + 1;
    this.#turns.set(holder, { lastTurn: this.#turn, leases });
    return leaseOf(this.#pool, bytes, holder, () => {
      this.#endLease(holder);
      this.#grantWaiting();
    });
  }

  #endLease(holder: Holder): void {
    const turns = this.#turns.get(holder);
    if (turns === undefined) return;
    turns.leases -= 1;
    this.#forget(holder);
  }

  /** A holder that neither has memory nor waits begins from scratch. */
  #forget(holder: Holder): void {
    if (this.#turns.get(holder)?.leases === 0 && !this.#waiting.has(holder)) this.#turns.delete(holder);
  }

  #leave(holder: Holder, waiter: Waiter): void {
    // Others may need less memory, and get it now.
    if (this.#remove(holder, waiter)) this.#grantWaiting();
  }

  #remove(holder: Holder, waiter: Waiter): boolean {
    clearTimeout(waiter.timer);
    const own = this.#waiting.get(holder);
    if (own?.delete(waiter) !== true) return false;
    this.#count -= 1;
    if (own.size === 0) this.#waiting.delete(holder);
    this.#forget(holder);
    return true;
  }

  #grantWaiting(): void {
    while (this.#grantNext());
  }

  /** Grants memory to the next in turn. A waiter that exceeds its holder's share lets others pass. */
  #grantNext(): boolean {
    const inTurn = [...this.#waiting].sort(([one], [other]) => this.#lastTurn(one) - this.#lastTurn(other));
    for (const [holder, [waiter]] of inTurn) {
      if (waiter === undefined) continue;
      if (!this.#pool.hasRoomFor(waiter.bytes)) return false;
      const taken = this.#take(waiter.bytes, holder);
      if (taken === undefined) continue;
      this.#remove(holder, waiter);
      waiter.onGrant(taken);
      return true;
    }
    return false;
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
