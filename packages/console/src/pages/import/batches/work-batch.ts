import type { RowOutcome, SentBatch } from '../job/import-job.ts';
import type { Fate } from './fate-of-change.ts';

/** Some rows that are sent together. */
export interface WorkBatch {
  readonly rows: number;
  /** Answers what the batch would do, and changes nothing. */
  readonly preview: (signal: AbortSignal) => Promise<readonly RowOutcome[]>;
  /**
   * Applies the batch once, however often it is sent.
   *
   * @param sent how it was sent before, if its outcome is not known
   * @param note stores how it is sent, before it is sent
   */
  readonly apply: (
    sent: SentBatch | undefined,
    note: (sent: SentBatch) => Promise<void>,
  ) => Promise<readonly RowOutcome[]>;
  /**
   * Returns the outcomes of a batch that was sent before and took effect as a whole. `undefined` if it did not, or if
   * comparing its rows once more says better what is left of it. Changes nothing.
   */
  readonly settle: (sent: SentBatch, fate: Fate) => Promise<readonly RowOutcome[] | undefined>;
}
