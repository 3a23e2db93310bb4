/** A bounded amount of memory of which each holder may take a limited share. */
export class MemoryPool {
  readonly #bytesMax: number;
  readonly #shareMax: number;
  readonly #takenBy = new Map<string, number>();
  #taken = 0;

  /** @param shareMax maximum bytes per holder; a single body may exceed it */
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
   * Takes memory. Returns false and takes nothing when the pool or the holder's share has too little left.
   *
   * @param holder left out when unknown
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
