import { FairLane, type FairLaneOptions, type Waiting } from './fair-lane.ts';

/** An owner, and the group whose turns it shares. Owners without a group are one. */
export interface GroupedOwner {
  readonly owner: string;
  readonly group?: string;
}

/**
 * Waiting items by group and owner. Groups take turns, item by item, and so do the owners of each, so a group gains
 * nothing by having many owners. The limits of the lane apply to each owner.
 */
export class GroupedLane<Item> {
  readonly #options: FairLaneOptions<Item>;
  /** In the order in which the groups are served. */
  readonly #lanes = new Map<string | undefined, FairLane<Item>>();

  constructor(options: FairLaneOptions<Item>) {
    this.#options = options;
  }

  /** Number of waiting items. */
  get size(): number {
    return this.#lanes.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** Returns how many items of the owner wait, not counting patient ones. */
  limitedOf({ owner, group }: GroupedOwner): number {
    return this.#lanes.get(group)?.limitedOf(owner) ?? 0;
  }

  /** Returns whether the owner's next item must be refused. */
  isFullFor({ owner, group }: GroupedOwner): boolean {
    return this.#lanes.get(group)?.isFullFor(owner) ?? false;
  }

  /** Notes that an item was refused because the owner's queue was full, which keeps it short for a while. */
  noteRefused({ owner, group }: GroupedOwner): void {
    this.#lanes.get(group)?.noteRefused(owner);
  }

  add({ owner, group }: GroupedOwner, item: Item, waiting: Waiting): void {
    const lane = this.#lanes.get(group) ?? new FairLane(this.#options);
    this.#lanes.set(group, lane);
    lane.add(owner, item, waiting);
  }

  /** Removes an item that no longer needs to wait. */
  remove({ owner, group }: GroupedOwner, item: Item): void {
    const lane = this.#lanes.get(group);
    lane?.remove(owner, item);
    if (lane?.size === 0) this.#forget(group);
  }

  take(): Item | undefined {
    for (const [group, lane] of this.#lanes) {
      if (lane.size === 0) continue;
      const item = lane.take();
      this.#lanes.delete(group);
      this.#lanes.set(group, lane);
      if (lane.size === 0) this.#forget(group);
      return item;
    }
    return undefined;
  }

  /** Forgets a group in which nothing waits. The lane of owners without a group stays: it knows who was refused lately. */
  #forget(group: string | undefined): void {
    if (group !== undefined) this.#lanes.delete(group);
  }
}
