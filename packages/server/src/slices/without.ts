import { setInSlices } from './set-in-slices.ts';
import type { TimeSlice } from './time-slice.ts';

/** Texts between looks at the clock, which take as long as comparing one. */
const stepsAtOnce = 100;

/** Returns the texts that are not among the others, in their order. Compares them in slices of time. */
export async function without(
  texts: Iterable<string>,
  others: Iterable<string>,
  timeSlice: TimeSlice,
): Promise<string[]> {
  const excluded = await setInSlices([others], timeSlice);
  let steps = 0;
  const kept: string[] = [];
  for (const text of texts) {
    if (!excluded.has(text)) kept.push(text);
    if (++steps % stepsAtOnce === 0 && timeSlice.isOver()) await timeSlice.next();
  }
  return kept;
}
