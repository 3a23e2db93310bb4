import { TimeSlice } from '../../slices/time-slice.ts';
import type { Session } from './session.ts';

/** Store codes per statement: some milliseconds of work on an in-process engine. */
export const codesAtOnce = 1000;

/** Passes codes to a query, encoded, a slice at a time, so that other work is not held up. */
export async function inSlices(
  { engine }: Session,
  codes: readonly string[],
  run: (encoded: unknown) => Promise<unknown>,
): Promise<void> {
  const timeSlice = new TimeSlice();
  for (let start = 0; start < codes.length; start += codesAtOnce) {
    await run(engine.encodeCodes(codes.slice(start, start + codesAtOnce)));
    if (timeSlice.isOver()) await timeSlice.next();
  }
}
