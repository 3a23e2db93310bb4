/** A taker of memory. */
export interface Holder {
  /** All takers of this name count together. */
  readonly name: string;
  /** The largest part of the memory that it may have, from 0 to 1. A single piece may be larger. */
  readonly partMax: number;
}

/** A bounded amount of memory of which each holder may take a limited share. */
export class MemoryPool {
  readonly #bytesMax: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Bytes that the holder of this name has taken. */
  takenBy(name: string): number {
    return this.#takenBy.get(name) ?? 0;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#taken + bytes <= this.#bytesMax;
  }

  /** Returns whether the holder's share has this much left. */
  hasShareFor(bytes: number, { name, partMax }: Holder): boolean {
    const taken = this.takenBy(name);
    return taken === 0 || taken + bytes <= this.#bytesMax * partMax;
  }

  /** Takes memory. Returns false and takes nothing when the pool or the holder's share has too little left. */
  tryTake(bytes: number, holder: Holder): boolean {
    if (!this.hasRoomFor(bytes) || !this.hasShareFor(bytes, holder)) return false;
    this.#taken += bytes;
    this.#takenBy.set(holder.name, this.takenBy(holder.name) + bytes);
    return true;
  }

  give(bytes: number, { name }: Holder): void {
    this.#taken -= bytes;
    const left = this.takenBy(name) - bytes;
    if (left > 0) this.#takenBy.set(name, left);
    else this.#takenBy.delete(name);
  }
}
