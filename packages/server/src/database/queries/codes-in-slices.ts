import { TimeSlice } from '../../slices/time-slice.ts';
import type { Session } from './session.ts';

/** Store codes per statement: some milliseconds of work on an in-process engine. */
export const codesAtOnce = 1000;

/** Splits codes into slices for one statement each, between which other work is not held up. */
export async function* slicesOfCodes(codes: readonly string[]): AsyncGenerator<string[]> {
  const timeSlice = new TimeSlice();
  for (let start = 0; start < codes.length; start += codesAtOnce) {
    yield codes.slice(start, start + codesAtOnce);
    if (timeSlice.isOver()) await timeSlice.next();
  }
}

/** Passes codes to a query, encoded, a slice at a time. */
export async function inSlices(
  { engine }: Session,
  codes: readonly string[],
  run: (encoded: unknown) => Promise<unknown>,
): Promise<void> {
  for await (const slice of slicesOfCodes(codes)) await run(engine.encodeTexts(slice));
}
