/** A bounded amount of memory, of which nobody may take more than a share. */
export class MemoryPool {
  readonly #bytesMax: number;
  readonly #shareMax: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  /** @param shareMax bytes that one holder may have; it may exceed them with a single body */
  constructor(bytesMax: number, shareMax: number) {
    this.#bytesMax = bytesMax;
    this.#shareMax = shareMax;
  }

  get taken(): number {
    return this.#taken;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#taken + bytes <= this.#bytesMax;
  }

  /**
   * Takes nothing and returns false when the pool, or the holder's share of it, has too little left.
   *
   * @param holder left out where it is not known
   */
  tryTake(bytes: number, holder: string | undefined): boolean {
    if (!this.hasRoomFor(bytes)) return false;
    if (holder !== undefined && !this.#takeShare(bytes, holder)) return false;
    this.#taken += bytes;
    return true;
  }

  give(bytes: number, holder: string | undefined): void {
    this.#taken -= bytes;
    if (holder === undefined) return;
    const left = (this.#takenBy.get(holder) ?? 0) - bytes;
    if (left > 0) this.#takenBy.set(holder, left);
    else this.#takenBy.delete(holder);
  }

  #takeShare(bytes: number, holder: string): boolean {
    const taken = this.#takenBy.get(holder) ?? 0;
    if (taken > 0 && taken + bytes > this.#shareMax) return false;
    this.#takenBy.set(holder, taken + bytes);
    return true;
  }
}
