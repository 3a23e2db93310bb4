import { isUtf8 } from 'node:buffer';
import { limits } from '@fieldroster/contract';
import { ApiError } from '../../../errors/api-error.ts';
import { breakOf, JsonProblem, NotJson, notJson, parseExactJson, tooDeep } from '../../../json/exact-json.ts';
import { SlicedJson } from '../../../json/sliced-json.ts';
import { nextSlice, TimeSlice } from '../../../slices/time-slice.ts';
import type { ReceivedBody } from '../../call.ts';
import { isNestedDeeper } from './is-nested-deeper.ts';
import { nameOddBody } from './odd-body.ts';
import type { OperationInput } from './operation-input.ts';

/** Bodies up to this size, in bytes, are parsed in one go, which takes a few milliseconds at most. */
export const parsedAtOnceMax = 16 * 1024;

const valuesMaxOf = {
  usual: limits.bodyValuesMax,
  batch: limits.batchBodyValuesMax,
  bulk: limits.bulkBodyValuesMax,
} as const;

/** Returns how many values the body of an operation may hold, including arrays and objects. */
export function bodyValuesMax({ bodyLimit }: OperationInput): number {
  return valuesMaxOf[bodyLimit ?? 'usual'];
}

/** Parses a body of at most {@link parsedAtOnceMax} bytes. Throws 1002. */
export function parseSmallBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ApiError(1002, 'the body is empty; it must be a JSON object');
  const { bodyLevelsMax } = limits;
  if (isNestedDeeper(bytes, bodyLevelsMax)) throw refusal(tooDeep(bodyLevelsMax));
  const text = decode(bytes);
  try {
    return parseExactJson(text);
  } catch (error) {
    const position = breakOf(error, text);
    throw refusal(named(notJson(position, position === text.length), bytes));
  }
}

/** Parses a larger body in slices of time. Throws 1002. */
export async function parseLargeBody(
  { bytes, isUtf8: isKnownUtf8 = isUtf8(bytes) }: ReceivedBody,
  valuesMax: number,
): Promise<unknown> {
  if (!isKnownUtf8) throw notUtf8(bytes);
  const json = new SlicedJson(withoutByteOrderMark(bytes), {
    levelsMax: limits.bodyLevelsMax,
    valuesMax,
    namesMax: limits.bodyNamesMax,
    nameBytesMax: limits.bodyNameBytesMax,
    tokenBytesMax: limits.bodyTokenBytesMax,
  });
  const timeSlice = new TimeSlice(nextSlice);
  try {
    while (!json.readSlice()) if (timeSlice.isOver()) await timeSlice.next();
  } catch (error) {
    throw error instanceof JsonProblem ? refusal(named(error, bytes)) : error;
  }
  return json.value;
}

const byteOrderMark = Buffer.from('\ufeff');

function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    ? bytes.subarray(byteOrderMark.length)
    : bytes;
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8(bytes);
  return withoutByteOrderMark(bytes).toString('utf8');
}

function notUtf8(bytes: Buffer): ApiError {
  return refusal(named(new NotJson('it is not encoded in UTF-8'), bytes));
}

/** Replaces the place where a body breaks by what the whole of it is, if its beginning shows that. */
function named(problem: JsonProblem, bytes: Buffer): JsonProblem {
  const odd = problem instanceof NotJson ? nameOddBody(bytes) : undefined;
  return odd === undefined ? problem : new NotJson(`it ${odd}`);
}

function refusal(cause: JsonProblem): ApiError {
  return new ApiError(1002, `the body ${cause.message}`, { cause });
}
