import { OverloadDetector } from './overload-detector.ts';
import { RefusalShare } from './refusal-share.ts';

export interface FairLaneOptions<Item> {
  /** Items of one owner that may wait for a short time. */
  readonly burstMax: number;
  /** Items of one owner that may wait while some have been waiting without a break. */
  readonly standingMax: number;
  /** The same while the owner floods the queue, which {@link RefusalShare} tells; `standingMax` by default. */
  readonly floodedMax?: number;
  /** How long a queue that was cut stays short after the last refusal, even if it is empty meanwhile; 0 by default. */
  readonly calmAfterMs?: number;
  /** Called with each item that exceeds the limits, the oldest first. The item is then removed. */
  readonly refuse: (item: Item) => void;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** How the lane treats an item. */
export interface Waiting {
  /** The share of a round that the item takes; 1 for ordinary items. */
  readonly cost?: number;
  /** True for an item that is never refused because of others that wait. It does not count for their limits either. */
  readonly patient?: boolean;
}

interface Entry<Item> {
  readonly item: Item;
  readonly cost: number;
  readonly patient: boolean;
}

/** How much more arrives for an owner than can be done. */
interface OwnerLoad {
  readonly overload: OverloadDetector;
  readonly refusals: RefusalShare;
}

interface OwnerQueue<Item> {
  entries: Entry<Item>[];
  /** How many of them are not patient. The limits of the lane apply to these. */
  limited: number;
  readonly load: OwnerLoad;
  /** Cost that the owner may still spend in this round. */
  deficit: number;
}

/**
 * Waiting items by owner. Owners take turns by deficit round robin (Shreedhar and Varghese, 1995): in each round, each
 * may spend the same cost, so that costly items of one owner do not slow the others. An owner's queue may grow for a
 * burst, and is kept short under overload, which {@link OverloadDetector} tells from a burst. The oldest items are
 * dropped: their callers have waited longest, and are the first to give up.
 */
export class FairLane<Item> {
  readonly #options: FairLaneOptions<Item>;
  readonly #now: () => number;
  /** A map keeps the order of its keys, which is the order in which the owners are served. */
  readonly #queues = new Map<string, OwnerQueue<Item>>();
  /** Loads of the owners for whom something was refused. They outlive the queue, which is gone when it is empty. */
  readonly #loads = new Map<string, OwnerLoad>();
  #size = 0;

  constructor(options: FairLaneOptions<Item>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Number of waiting items. */
  get size(): number {
    return this.#size;
  }

  /** Returns how many items of the owner wait, not counting patient ones. */
  limitedOf(owner: string): number {
    return this.#queues.get(owner)?.limited ?? 0;
  }

  /** Returns whether the owner's next item must be refused. */
  isFullFor(owner: string): boolean {
    const queue = this.#queues.get(owner);
    if (queue === undefined) return false;
    return queue.limited >= this.#lengthMax(queue.load, this.#now());
  }

  #lengthMax({ overload, refusals }: OwnerLoad, nowMs: number): number {
    const { burstMax, standingMax, floodedMax = standingMax } = this.#options;
    if (!overload.isOverloaded(nowMs)) return burstMax;
    return refusals.isFlooded(nowMs) ? floodedMax : standingMax;
  }

  /** Notes that an item was refused because the owner's queue was full, which keeps it short for a while. */
  noteRefused(owner: string): void {
    const queue = this.#queues.get(owner);
    const nowMs = this.#now();
    if (queue?.load.overload.isOverloaded(nowMs)) this.#noteRefusals(1, owner, queue.load, nowMs);
  }

  #noteRefusals(count: number, owner: string, load: OwnerLoad, nowMs: number): void {
    load.overload.extend(nowMs);
    load.refusals.noteRefused(count, nowMs);
    this.#loads.set(owner, load);
  }

  add(owner: string, item: Item, { cost = 1, patient = false }: Waiting = {}): void {
    this.#size += 1;
    const queue = this.#queues.get(owner) ?? this.#newQueue(owner);
    queue.entries.push({ item, cost, patient });
    if (!patient) queue.limited += 1;
  }

  #newQueue(owner: string): OwnerQueue<Item> {
    const queue = { entries: [], limited: 0, load: this.#beginWaiting(owner), deficit: 0 };
    this.#queues.set(owner, queue);
    return queue;
  }

  /** Returns the load of an owner for whom nothing waited. */
  #beginWaiting(owner: string): OwnerLoad {
    const nowMs = this.#now();
    const load = this.#loadIfOverloaded(owner, nowMs) ?? this.#newLoad();
    load.overload.noteFirst(nowMs);
    return load;
  }

  /** Returns the load of an owner who is still overloaded, and forgets the one of an owner who no longer is. */
  #loadIfOverloaded(owner: string, nowMs: number): OwnerLoad | undefined {
    const last = this.#loads.get(owner);
    if (last === undefined || last.overload.isOverloaded(nowMs)) return last;
    this.#loads.delete(owner);
    return undefined;
  }

  #newLoad(): OwnerLoad {
    const overload = new OverloadDetector(this.#options.calmAfterMs ?? 0);
    return { overload, refusals: new RefusalShare() };
  }

  #endWaiting(owner: string, { load }: OwnerQueue<Item>): void {
    load.overload.noteEmpty();
    this.#queues.delete(owner);
  }

  /** Removes an item that no longer needs to wait. Returns whether it was waiting. */
  remove(owner: string, item: Item): boolean {
    const queue = this.#queues.get(owner);
    if (queue === undefined) return false;
    const index = queue.entries.findIndex((entry) => entry.item === item);
    const [entry] = index === -1 ? [] : queue.entries.splice(index, 1);
    if (entry === undefined) return false;
    this.#noteGone(owner, queue, entry);
    return true;
  }

  take(): Item | undefined {
    for (let turns = 1; ; turns += 1) {
      const [next] = this.#queues;
      if (next === undefined) return undefined;
      const [owner, queue] = next;
      this.#refuseExcess(owner, queue);
      const cost = queue.entries[0]?.cost ?? 0;
      // With nobody else waiting, there is nothing to share.
      if (queue.deficit < cost && this.#queues.size > 1) {
        this.#moveBehind(owner, queue);
        if (turns % this.#queues.size === 0) this.#skipRounds();
        continue;
      }
      return this.#takeFirst(owner, queue);
    }
  }

  /** Cuts a queue that grew in a burst, once it turns out to be overload. */
  #refuseExcess(owner: string, queue: OwnerQueue<Item>): void {
    const nowMs = this.#now();
    let excess = queue.limited - this.#lengthMax(queue.load, nowMs);
    if (excess <= 0 || !queue.load.overload.isOverloaded(nowMs)) return;
    const refused: Item[] = [];
    queue.entries = queue.entries.filter(({ item, patient }) => {
      if (patient || excess === 0) return true;
      excess -= 1;
      refused.push(item);
      return false;
    });
    this.#size -= refused.length;
    queue.limited -= refused.length;
    this.#noteRefusals(refused.length, owner, queue.load, nowMs);
    for (const item of refused) this.#options.refuse(item);
  }

  /** Moves the owner to the next round, in which it may spend more. */
  #moveBehind(owner: string, queue: OwnerQueue<Item>): void {
    queue.deficit += 1;
    this.#queues.delete(owner);
    this.#queues.set(owner, queue);
  }

  /** Lets every owner skip the rounds in which none could spend enough. A large batch costs thousands of rounds. */
  #skipRounds(): void {
    const queues = [...this.#queues.values()];
    const rounds = Math.min(...queues.map(({ entries, deficit }) => (entries[0]?.cost ?? 0) - deficit));
    for (const queue of queues) queue.deficit += Math.max(0, rounds);
  }

  #takeFirst(owner: string, queue: OwnerQueue<Item>): Item | undefined {
    const entry = queue.entries.shift();
    if (entry === undefined) return undefined;
    queue.deficit = Math.max(0, queue.deficit - entry.cost);
    queue.load.refusals.noteTaken(this.#now());
    this.#noteGone(owner, queue, entry);
    return entry.item;
  }

  #noteGone(owner: string, queue: OwnerQueue<Item>, { patient }: Entry<Item>): void {
    this.#size -= 1;
    if (!patient) queue.limited -= 1;
    if (queue.entries.length === 0) this.#endWaiting(owner, queue);
  }

  /** The waiting items, each owner's in their order. */
  *[Symbol.iterator](): Generator<{ readonly owner: string; readonly item: Item }> {
    for (const [owner, { entries }] of this.#queues) for (const { item } of entries) yield { owner, item };
  }
}
