import type { TimeSlice } from './time-slice.ts';

/** Returns what `Buffer.concat` does, copied in slices of time: new memory costs more than copying into it. */
export async function concatInSlices(pieces: readonly Uint8Array[], timeSlice: TimeSlice): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const piece of pieces) {
    whole.set(piece, start);
    start += piece.length;
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return whole;
}
