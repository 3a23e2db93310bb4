import { encodeInSlices } from '../../slices/encode-in-slices.ts';
import { nextSlice, TimeSlice } from '../../slices/time-slice.ts';
import type { Answer } from './present-answer.ts';

/** Bodies of up to this many characters are encoded when they are sent, in one go. */
const encodedAtOnceMax = 1024 * 1024;

/** Encodes a large answer, such as an audit row with the stores of a user, in slices of time. */
export function encodeLargeAnswer(answer: Answer): Answer | Promise<readonly Buffer[]> {
  if (answer.body.length <= encodedAtOnceMax || answer.etag !== undefined) return answer;
  return encodeLater(answer.body);
}

/**
 * V8 joins the parts of a new text when it is first looked into. That takes as long as making the text, which happened in
 * this turn of the event loop.
 */
async function encodeLater(body: string): Promise<readonly Buffer[]> {
  await nextSlice();
  return encodeInSlices(body, new TimeSlice(nextSlice));
}
