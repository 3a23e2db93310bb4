import type { OperationCall } from '../call.ts';
import { encodeLargeAnswer } from './encode-large-answer.ts';
import type { LongLists } from './long-lists.ts';
import { type Answer, type LargeAnswer, presentAnswer, presentLargeAnswer } from './present-answer.ts';

/** Presents what an operation's handler returned: at once if it is small, otherwise in slices of time or in pieces. */
export function presentResult(
  call: OperationCall,
  result: object | undefined,
  longLists: LongLists,
): Answer | LargeAnswer | Promise<LargeAnswer> {
  const large = longLists.begin(call, result) ?? presentLargeAnswer(call.key, result);
  return large ?? encodeLargeAnswer(presentAnswer(call.key, result));
}
