import { compareCodePoints } from '@fieldroster/contract/characters';
import type { TimeSlice } from './time-slice.ts';

/** Strings sorted at once. Comparing two that begin alike may take half a microsecond. */
const sortedAtOnce = 500;

/** Sorts strings by code points, as the database does, in slices of time. */
export async function sortInSlices(values: readonly string[], timeSlice: TimeSlice): Promise<string[]> {
  if (values.length <= sortedAtOnce) return values.toSorted(compareCodePoints);
  const middle = Math.ceil(values.length / 2);
  const left = await sortInSlices(values.slice(0, middle), timeSlice);
  const right = await sortInSlices(values.slice(middle), timeSlice);
  return merge(left, right, timeSlice);
}

async function merge(
  left: readonly string[],
  right: readonly string[],
  timeSlice: TimeSlice,
): Promise<string[]> {
  const merged: string[] = [];
  let fromLeft = 0;
  for (const value of right) {
    for (
      let least = left[fromLeft];
      least !== undefined && compareCodePoints(least, value) <= 0;
      least = left[fromLeft]
    ) {
      merged.push(least);
      fromLeft += 1;
    }
    merged.push(value);
    if (timeSlice.isOver()) await timeSlice.next();
  }
  for (const value of left.slice(fromLeft)) merged.push(value);
  return merged;
}
