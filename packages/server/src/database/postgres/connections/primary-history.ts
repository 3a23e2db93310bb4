/** A server that took writes: its cluster, and how often that cluster has changed its primary. */
export interface PrimarySeen {
  /** The system identifier, which a cluster shares with all its replicas. */
  readonly system: string;
  /** Grows with each promotion of a replica. */
  readonly timeline: number;
}

export type Verdict =
  | 'current'
  /** Another server of its cluster was promoted after it: writes to it are lost. */
  | 'former'
  /** It belongs to a different cluster from the one that this process started with. */
  | 'other cluster';

/**
 * The newest primary seen by this process or another worker of the same supervisor. It is kept in memory: a table would
 * travel with copies and restored backups, and vouch for a primary that they never had.
 */
export class PrimaryHistory {
  #newest: PrimarySeen | undefined;
  readonly #listeners = new Set<(newest: PrimarySeen) => void>();

  /** @param newest what another process of the same supervisor has seen */
  constructor(newest?: PrimarySeen) {
    this.#newest = newest;
  }

  get newest(): PrimarySeen | undefined {
    return this.#newest;
  }

  judge({ system, timeline }: PrimarySeen): Verdict {
    if (this.#newest === undefined) return 'current';
    if (this.#newest.system !== system) return 'other cluster';
    return timeline < this.#newest.timeline ? 'former' : 'current';
  }

  /** Keeps the newer of two primaries of the cluster, and notifies the listeners when it changes. */
  note(seen: PrimarySeen): void {
    if (this.judge(seen) !== 'current' || this.#newest?.timeline === seen.timeline) return;
    this.#newest = seen;
    for (const listener of this.#listeners) listener(seen);
  }

  /** Calls back with each newer primary. Returns a function that stops the callbacks. */
  onNewer(listener: (newest: PrimarySeen) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
