import { type Holder, MemoryPool } from './memory-pool.ts';

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
  readonly holder: Holder;
  readonly timer: NodeJS.Timeout;
  readonly onGrant: (lease: Lease) => void;
}

/**
 * Hands out memory. One holder gets at most its part of it, unless a single request is larger than that. Holders take
 * turns: the next is the one that was served the longest time ago. If there is no room for it, the others wait too.
 */
export class MemoryQueue {
  readonly #pool: MemoryPool;
  readonly #waiting = new Map<string, Set<Waiter>>();
  /** The turns of the holders that wait or have memory. */
  readonly #turns = new Map<string, { lastTurn: number; leases: number }>();
  #turn = 0;
  #count = 0;

  constructor(bytesMax: number) {
    this.#pool = new MemoryPool(bytesMax);
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
    if (this.#waiting.has(holder.name)) return undefined;
    // One that only exceeds its share may be overtaken.
    for (const [other, [first]] of this.#waiting)
      if (first && this.#isBefore(other, holder.name) && !this.#pool.hasRoomFor(first.bytes))
        return undefined;
    return this.#take(bytes, holder);
  }

  /**
   * Waits until there is room.
   *
   * @returns a function that ends the wait
   */
  wait(bytes: number, holder: Holder, { waitMs, onGrant, onRefusal }: MemoryWait): () => void {
    const { name } = holder;
    const own = this.#waiting.get(name) ?? new Set();
    if (this.#count >= waitingMax && own.size > 0) {
      queueMicrotask(() => onRefusal(`${this.#count} others are already waiting for memory`));
      return () => {};
    }
    const timer = setTimeout(() => {
      this.#leave(waiter);
      onRefusal(`no memory for ${bytes} bytes became free within ${Math.ceil(waitMs / 1000)} seconds`);
    }, waitMs).unref();
    const waiter: Waiter = { bytes, holder, timer, onGrant };
    this.#waiting.set(name, own.add(waiter));
    if (!this.#turns.has(name)) this.#turns.set(name, { lastTurn: this.#newcomersTurn, leases: 0 });
    this.#count += 1;
    return () => this.#leave(waiter);
  }

  #isBefore(other: string, name: string): boolean {
    return this.#lastTurn(other) <= this.#lastTurn(name);
  }

  #lastTurn(name: string): number {
    return this.#turns.get(name)?.lastTurn ?? this.#newcomersTurn;
  }

  /** A newcomer comes just before the holder that was served last, and after all others. */
  get #newcomersTurn(): number {
    return this.#turn - 0.5;
  }

  #take(bytes: number, holder: Holder): Lease | undefined {
    if (!this.#pool.tryTake(bytes, holder)) return undefined;
    this.#turn += 1;
    const { name } = holder;
    const leases = (this.#turns.get(name)?.leases ?? 0) + 1;
    this.#turns.set(name, { lastTurn: this.#turn, leases });
    return leaseOf(this.#pool, bytes, holder, () => {
      this.#endLease(name);
      this.#grantWaiting();
    });
  }

  #endLease(name: string): void {
    const turns = this.#turns.get(name);
    if (turns === undefined) return;
    turns.leases -= 1;
    this.#forget(name);
  }

  /** A holder that neither has memory nor waits begins from scratch. */
  #forget(name: string): void {
    if (this.#turns.get(name)?.leases === 0 && !this.#waiting.has(name)) this.#turns.delete(name);
  }

  #leave(waiter: Waiter): void {
    // Others may need less memory, and get it now.
    if (this.#remove(waiter)) this.#grantWaiting();
  }

  #remove(waiter: Waiter): boolean {
    clearTimeout(waiter.timer);
    const { name } = waiter.holder;
    const own = this.#waiting.get(name);
    if (own?.delete(waiter) !== true) return false;
    this.#count -= 1;
    if (own.size === 0) this.#waiting.delete(name);
    this.#forget(name);
    return true;
  }

  #grantWaiting(): void {
    while (this.#grantNext());
  }

  /** Grants memory to the next in turn. A waiter that exceeds its holder's share lets others pass. */
  #grantNext(): boolean {
    const inTurn = [...this.#waiting].sort(([one], [other]) => this.#lastTurn(one) - this.#lastTurn(other));
    for (const [, [waiter]] of inTurn) {
      if (waiter === undefined) continue;
      if (!this.#pool.hasRoomFor(waiter.bytes)) return false;
      const taken = this.#take(waiter.bytes, waiter.holder);
      if (taken === undefined) continue;
      this.#remove(waiter);
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
  holder: Holder,
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
