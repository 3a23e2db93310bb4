export interface FairLaneOptions<Item> {
  /** Items of one owner that may wait for a short time. */
  readonly burstMax: number;
  /** Items of one owner that may wait while some have been waiting without a break. */
  readonly standingMax: number;
  /** How long a queue that was cut stays short after the last refusal, even if it is empty meanwhile; 0 by default. */
  readonly calmAfterMs?: number;
  /** Is called with each item beyond that, the oldest first, which is then removed. */
  readonly refuse: (item: Item) => void;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** After this time without a break, waiting items are overload and not a burst. */
const standingAfterMs = 500;

/** How an item waits. */
export interface Waiting {
  /** The share of a round that the item takes; 1 for ordinary items. */
  readonly cost?: number;
  /** True for an item that is never refused because of others that wait. */
  readonly patient?: boolean;
}

interface Entry<Item> {
  readonly item: Item;
  readonly cost: number;
  readonly patient: boolean;
}

interface OwnerQueue<Item> {
  entries: Entry<Item>[];
  readonly sinceMs: number;
  /** Cost that the owner may still spend in this round. */
  deficit: number;
}

/**
 * Waiting items by owner. Owners take turns by deficit round robin (Shreedhar and Varghese, 1995): in each round, each
 * may spend the same cost, so that costly items of one owner do not slow the others. The bounds per owner follow "Fail
 * at Scale" (Maurer, 2015), a variant of CoDel (RFC 8289): a queue may grow for a burst, and stays short once it has
 * not been empty for a while, because then it only delays everything. The oldest items are dropped: their callers have
 * waited longest, and are the first to give up.
 */
export class FairLane<Item> {
  readonly #options: FairLaneOptions<Item>;
  readonly #now: () => number;
  /** A map keeps the order of its keys, which is the order of the owners' turns. */
  readonly #queues = new Map<string, OwnerQueue<Item>>();
  /** Until when the queue of an owner is kept short, even if it is empty meanwhile. */
  readonly #standsUntilMs = new Map<string, number>();
  #size = 0;

  constructor(options: FairLaneOptions<Item>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Number of waiting items. */
  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#queues.get(owner)?.entries.length ?? 0;
  }

  /** Whether the owner's next item must be refused. */
  isFullFor(owner: string): boolean {
    const queue = this.#queues.get(owner);
    if (queue === undefined) return false;
    const { burstMax, standingMax } = this.#options;
    return queue.entries.length >= (this.#isStanding(owner, queue) ? standingMax : burstMax);
  }

  /** Notes that an item was refused because the owner's queue was full, which keeps it short for a while. */
  noteRefused(owner: string): void {
    const queue = this.#queues.get(owner);
    if (queue !== undefined && this.#isStanding(owner, queue)) this.#stand(owner);
  }

  #isStanding(owner: string, { sinceMs }: OwnerQueue<Item>): boolean {
    const nowMs = this.#now();
    if (nowMs - sinceMs > standingAfterMs) return true;
    const untilMs = this.#standsUntilMs.get(owner);
    if (untilMs === undefined) return false;
    if (nowMs >= untilMs) this.#standsUntilMs.delete(owner);
    return nowMs < untilMs;
  }

  #stand(owner: string): void {
    const { calmAfterMs = 0 } = this.#options;
    if (calmAfterMs > 0) this.#standsUntilMs.set(owner, this.#now() + calmAfterMs);
  }

  add(owner: string, item: Item, { cost = 1, patient = false }: Waiting = {}): void {
    this.#size += 1;
    const entry = { item, cost, patient };
    const queue = this.#queues.get(owner);
    if (queue === undefined) {
      this.#queues.set(owner, { entries: [entry], sinceMs: this.#now(), deficit: 0 });
    } else {
      queue.entries.push(entry);
    }
  }

  /** Removes an item that need not wait any more. Returns whether it was waiting. */
  remove(owner: string, item: Item): boolean {
    const queue = this.#queues.get(owner);
    if (queue === undefined) return false;
    const index = queue.entries.findIndex((entry) => entry.item === item);
    if (index === -1) return false;
    queue.entries.splice(index, 1);
    this.#size -= 1;
    if (queue.entries.length === 0) this.#queues.delete(owner);
    return true;
  }

  /** Takes the next item. */
  take(): Item | undefined {
    for (;;) {
      const [next] = this.#queues;
      if (next === undefined) return undefined;
      const [owner, queue] = next;
      this.#refuseExcess(owner, queue);
      const cost = queue.entries[0]?.cost ?? 0;
      // With nobody else waiting, there is nothing to share.
      if (queue.deficit < cost && this.#queues.size > 1) {
        this.#moveBehind(owner, queue);
        continue;
      }
      return this.#takeFirst(owner, queue);
    }
  }

  /** Cuts a queue that grew in a burst, once it turns out to be overload. */
  #refuseExcess(owner: string, queue: OwnerQueue<Item>): void {
    const { standingMax, refuse } = this.#options;
    if (queue.entries.length <= standingMax || !this.#isStanding(owner, queue)) return;
    this.#stand(owner);
    let excess = queue.entries.length - standingMax;
    const refused: Item[] = [];
    queue.entries = queue.entries.filter(({ item, patient }) => {
      if (patient || excess === 0) return true;
      excess -= 1;
      refused.push(item);
      return false;
    });
    this.#size -= refused.length;
    for (const item of refused) refuse(item);
  }

  /** Ends the owner's turn. It may spend more in its next one. */
  #moveBehind(owner: string, queue: OwnerQueue<Item>): void {
    queue.deficit += 1;
    this.#queues.delete(owner);
    this.#queues.set(owner, queue);
  }

  #takeFirst(owner: string, queue: OwnerQueue<Item>): Item | undefined {
    const entry = queue.entries.shift();
    if (entry === undefined) return undefined;
    this.#size -= 1;
    queue.deficit = Math.max(0, queue.deficit - entry.cost);
    if (queue.entries.length === 0) this.#queues.delete(owner);
    return entry.item;
  }

  /** The waiting items, each owner's in their order. */
  *[Symbol.iterator](): Generator<{ readonly owner: string; readonly item: Item }> {
    for (const [owner, { entries }] of this.#queues) for (const { item } of entries) yield { owner, item };
  }
}
