import type { Outcome, RowOutcome } from '../job/import-job.ts';

/** Counts the rows of each outcome. */
export function countOutcomes(
  rows: readonly Pick<RowOutcome, 'outcome'>[],
): Readonly<Record<Outcome, number>> {
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0, applied: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}
