/** A server that took writes: which cluster it belongs to, and how often that cluster has changed its primary. */
export interface PrimarySeen {
  /** The system identifier, which a cluster shares with all of its replicas. */
  readonly system: string;
  /** Grows each time that a replica is promoted. */
  readonly timeline: number;
}

export type Verdict =
  | 'current'
  /** Another server of its cluster was promoted after it: what it is told is lost. */
  | 'former'
  /** It belongs to another cluster than the one that this process started with. */
  | 'other cluster';

/**
 * The newest primary that this process, or another worker of the same supervisor, has seen. It lives in memory:
 * a table would travel with copies and restored backups, and vouch for a primary that they never had.
 */
export class PrimaryHistory {
  #newest: PrimarySeen | undefined;
  readonly #listeners = new Set<(newest: PrimarySeen) => void>();

  /** @param newest what another process of the same supervisor knows */
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

  /** Keeps the newer of two primaries of the cluster, and tells the listeners when it is another one. */
  note(seen: PrimarySeen): void {
    if (this.judge(seen) !== 'current' || this.#newest?.timeline === seen.timeline) return;
    this.#newest = seen;
    for (const listener of this.#listeners) listener(seen);
  }

  /** Calls back with each newer primary. Returns how to end that. */
  onNewer(listener: (newest: PrimarySeen) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
