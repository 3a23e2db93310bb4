/** Pseudo-random numbers, the same for the same seed, so that a failure can be repeated. */
export class SeededRandom {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** A number from 0 up to, but not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer; both ends are included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.integer(0, items.length - 1)] as Item;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Picks that many different items, in random order. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: count }, () => left.splice(this.integer(0, left.length - 1), 1)[0] as Item);
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.integer(0, 255)));
  }

  /** Uses the seed from the environment if it is set, else a fresh one. */
  static ofRun(): SeededRandom {
    const given = process.env.FIELDROSTER_E2E_SEED;
    return new SeededRandom(given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given));
  }
}
