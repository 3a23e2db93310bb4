import type { ApiError } from '../../errors/api-error.ts';
import { type Holder, MemoryPool } from '../../fairness/memory-pool.ts';
import { type Lease, leaseOf } from '../../fairness/memory-queue.ts';
import { tooMuchAtOnce } from './too-much-at-once.ts';

/**
 * A body that has arrived more slowly than this on average gives way to others, in bytes per millisecond. One of 64 KiB
 * has four seconds.
 */
const bytesPerMsMin = 16;

/** A body of which more is to come. */
export interface UnfinishedBody {
  /** Bytes that have arrived, with those that are about to be kept. */
  readonly arrivedBytes: number;
  /** True while the server makes the sender wait. */
  readonly waits: boolean;
  /** Called once others have its memory. */
  giveWay(refusal: ApiError): void;
}

/** The memory of an unfinished body. */
export interface GrowingLease extends Lease {
  /**
   * Takes more memory, up to this many bytes in all.
   *
   * @throws {ApiError} 1503 when there is too little
   */
  growTo(bytes: number): void;
  /** Keeps the memory for good, because the body is complete. */
  finish(): void;
}

interface Unfinished {
  readonly body: UnfinishedBody;
  readonly holder: Holder;
  readonly sinceMs: number;
  bytes: number;
}

/**
 * Hands out the memory for small bodies. It costs a client nothing to begin bodies and never end them, so newcomers are
 * not refused because of them: when there is no room, the oldest of the slow bodies gives way, of the holder that has
 * most among those with slow bodies. Bodies that arrive fast never give way, or all would under load.
 */
export class SmallBodies {
  readonly #pool: MemoryPool;
  readonly #nowMs: () => number;
  /** By the names of their holders, the oldest first. */
  readonly #unfinished = new Map<string, Set<Unfinished>>();

  /** @param nowMs a monotonic clock, in milliseconds */
  constructor(bytesMax: number, nowMs: () => number) {
    this.#pool = new MemoryPool(bytesMax);
    this.#nowMs = nowMs;
  }

  /** Bytes currently held. */
  get taken(): number {
    return this.#pool.taken;
  }

  /**
   * Takes memory for a body that is complete.
   *
   * @throws {ApiError} 1503 when there is too little
   */
  take(bytes: number, holder: Holder): Lease {
    this.#take(bytes, holder);
    return leaseOf(this.#pool, bytes, holder);
  }

  /**
   * Takes memory for a body that is not. It may have to give it to others later.
   *
   * @throws {ApiError} 1503 when there is too little
   */
  hold(bytes: number, holder: Holder, body: UnfinishedBody): GrowingLease {
    this.#take(bytes, holder);
    const own: Unfinished = { body, holder, sinceMs: this.#nowMs(), bytes };
    this.#unfinished.set(holder.name, (this.#unfinished.get(holder.name) ?? new Set()).add(own));
    let held = true;
    return {
      get bytes() {
        return own.bytes;
      },
      growTo: (grown) => {
        const more = grown - own.bytes;
        this.#take(more, holder, own);
        // The body may have got large memory meanwhile, because another one that waited for it gave way.
        if (held) own.bytes = grown;
        else this.#pool.give(more, holder);
      },
      finish: () => this.#remove(own),
      release: () => {
        if (!held) return;
        held = false;
        this.#remove(own);
        this.#pool.give(own.bytes, holder);
      },
    };
  }

  /** @param own the body that grows, if any. It may itself be the one that gives way. */
  #take(bytes: number, holder: Holder, own?: Unfinished): void {
    while (!this.#pool.tryTake(bytes, holder)) {
      const hasShare = this.#pool.hasShareFor(bytes, holder);
      const slow = hasShare ? this.#slowOfHeaviest() : this.#slowOf(holder.name);
      if (slow === undefined)
        throw tooMuchAtOnce(
          hasShare
            ? 'the reserve for small bodies is used up'
            : 'the share of the reserve for small bodies is used up',
        );
      const refusal = tooMuchAtOnce('it arrived slowly, and others needed its memory');
      slow.body.giveWay(refusal);
      if (slow === own) throw refusal;
    }
  }

  /** Returns the oldest slow body of the holder that has most memory, among those that have slow bodies. */
  #slowOfHeaviest(): Unfinished | undefined {
    let found: Unfinished | undefined;
    let most = 0;
    for (const name of this.#unfinished.keys()) {
      const taken = this.#pool.takenBy(name);
      const slow = taken > most ? this.#slowOf(name) : undefined;
      if (slow !== undefined) [found, most] = [slow, taken];
    }
    return found;
  }

  #slowOf(name: string): Unfinished | undefined {
    const nowMs = this.#nowMs();
    for (const each of this.#unfinished.get(name) ?? []) if (isSlow(each, nowMs)) return each;
    return undefined;
  }

  #remove(own: Unfinished): void {
    const { name } = own.holder;
    const others = this.#unfinished.get(name);
    others?.delete(own);
    if (others?.size === 0) this.#unfinished.delete(name);
  }
}

function isSlow({ body, sinceMs }: Unfinished, nowMs: number): boolean {
  return body.waits || nowMs - sinceMs > body.arrivedBytes / bytesPerMsMin;
}
