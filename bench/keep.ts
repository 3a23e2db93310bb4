interface Kept {
  readonly thing: Promise<unknown>;
  readonly stop: (thing: unknown) => Promise<void>;
}

/** Things that take long to start, used by several measurements. */
export class Keep {
  readonly #kept = new Map<string, Kept>();

  get<Thing>(
    key: string,
    start: () => Promise<Thing>,
    stop: (thing: Thing) => Promise<void> = async () => {},
  ): Promise<Thing> {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = { thing: start(), stop: stop as Kept['stop'] };
      this.#kept.set(key, kept);
    }
    return kept.thing as Promise<Thing>;
  }

  /** In the opposite order: what was started later may use what was there before. */
  async stopAll(): Promise<void> {
    const all = [...this.#kept.values()].reverse();
    this.#kept.clear();
    for (const { thing, stop } of all) await stop(await thing);
  }
}
