import { encodeInSlices } from '../../slices/encode-in-slices.ts';
import { nextSlice, TimeSlice } from '../../slices/time-slice.ts';
import type { Answer } from './present-answer.ts';

/** Bodies of up to this many characters are encoded when they are sent, in one go. */
const encodedAtOnceMax = 1024 * 1024;

/** Encodes a large answer, such as an audit row with the stores of a user, in slices of time. */
export function encodeLargeAnswer(answer: Answer): Answer | Promise<readonly Buffer[]> {
  if (answer.body.length <= encodedAtOnceMax || answer.etag !== undefined) return answer;
  return encodeInSlices(answer.body, new TimeSlice(nextSlice));
}
