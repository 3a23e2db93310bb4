import { setTimeout as delay } from 'node:timers/promises';
import type { FailureChange, FailureCount, PasswordFailures } from '../database/database.ts';

/** On PostgreSQL each commit invalidates all cached answers, so wrong passwords must not cause too many. */
const commitIntervalMs = 100;

/** All windows in a batch have the same length. */
type BatchedChange = Omit<FailureChange, 'endsAfterMs'>;

interface Batch {
  readonly changes: Map<string, BatchedChange>;
  readonly counts: Promise<ReadonlyMap<string, FailureCount>>;
}

/** Records failed checks in batches, at most ten a second. The first one after a pause is recorded at once. */
export class FailureBatches {
  readonly #store: Pick<PasswordFailures, 'change'>;
  readonly #windowMs: number;
  #open: Batch | undefined;
  #previous: Promise<unknown> = Promise.resolve();

  constructor(store: Pick<PasswordFailures, 'change'>, windowMs: number) {
    this.#store = store;
    this.#windowMs = windowMs;
  }

  /**
   * Resolves once the changes are committed.
   *
   * @returns the counts of the batch that contained the changes
   */
  record(changes: readonly BatchedChange[]): Promise<ReadonlyMap<string, FailureCount>> {
    const batch = this.#open ?? this.#openBatch();
    for (const change of changes) merge(batch.changes, change);
    return batch.counts;
  }

  #openBatch(): Batch {
    const changes = new Map<string, BatchedChange>();
    const counts = this.#previous.then(() => {
      this.#open = undefined;
      return this.#store.change([...changes.values()], this.#windowMs);
    });
    this.#previous = counts.catch(() => {}).then(() => delay(commitIntervalMs, undefined, { ref: false }));
    this.#open = { changes, counts };
    return this.#open;
  }
}

function merge(changes: Map<string, BatchedChange>, { subject, clear = false, add }: BatchedChange): void {
  const known = changes.get(subject);
  const merged = clear || known === undefined ? { subject, clear, add } : { ...known, add: known.add + add };
  changes.set(subject, merged);
}
