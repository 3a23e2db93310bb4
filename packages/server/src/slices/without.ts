import type { TimeSlice } from './time-slice.ts';

/** Returns the texts that are not among the others, in their order. Compares them in slices of time. */
export async function without(
  texts: Iterable<string>,
  others: Iterable<string>,
  timeSlice: TimeSlice,
): Promise<string[]> {
  const excluded = new Set<string>();
  for (const other of others) {
    excluded.add(other);
    if (timeSlice.isOver()) await timeSlice.next();
  }
  const kept: string[] = [];
  for (const text of texts) {
    if (!excluded.has(text)) kept.push(text);
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return kept;
}
