import type { TimeSlice } from './time-slice.ts';

/** Characters encoded at once. */
export const pieceCharacters = 64 * 1024;

/** Encodes a text in UTF-8, in slices of time. Together, the pieces are what `Buffer.from` returns. */
export async function encodeInSlices(text: string, timeSlice: TimeSlice): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + pieceCharacters;
    // A character outside the basic plane has two halves, which must not be encoded one by one.
    if (isFirstHalf(text.charCodeAt(end - 1))) end -= 1;
    pieces.push(Buffer.from(text.slice(start, end)));
    if (timeSlice.isOver()) await timeSlice.next();
  }
  return pieces;
}

function isFirstHalf(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}
