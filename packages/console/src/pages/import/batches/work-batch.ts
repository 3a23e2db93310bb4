import type { RowOutcome, SentBatch } from '../job/import-job.ts';

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
}
