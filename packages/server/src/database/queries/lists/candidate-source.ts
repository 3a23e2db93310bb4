import type { RawBuilder } from 'kysely';
import type { ListPosition } from '../../directory-lists.ts';

/** Rows that may belong to a list, as a query of `at` and `id` in list order. */
export interface Candidates {
  readonly scanned: RawBuilder<unknown>;
  /** The position at which the search stopped before it found all requested rows. Absent at the end of the source. */
  readonly end?: ListPosition | undefined;
}

/** An ordered stream of candidates, read through an index. */
export interface CandidateSource {
  /**
   * Returns the next candidates, at most `size`, or `undefined` when this request has cost enough.
   *
   * @param spentMs how long it has worked so far, in milliseconds
   */
  next(after: ListPosition | undefined, size: number, spentMs: number): Promise<Candidates | undefined>;
}
