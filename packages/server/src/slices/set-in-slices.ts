import type { TimeSlice } from './time-slice.ts';

/** Texts between looks at the clock, which take as long as adding one. */
const stepsAtOnce = 100;

/** Returns a set of all the texts, made in slices of time. */
export async function setInSlices(
  lists: readonly Iterable<string>[],
  timeSlice: TimeSlice,
): Promise<Set<string>> {
  const set = new Set<string>();
  let steps = 0;
  for (const texts of lists)
    for (const text of texts) {
      set.add(text);
      if (++steps % stepsAtOnce === 0 && timeSlice.isOver()) await timeSlice.next();
    }
  return set;
}
