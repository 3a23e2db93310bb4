import { type ErrorCodeEntry, errorCodes } from '@fieldroster/contract';
import type { ApiError } from '../api-error.ts';
import type { Settings } from '../config.ts';

/** The body of a response without `data`. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
}

/** The HTTP status of a failure: 200 for what is about an operation, unless statuses are to be standard. */
export function statusOf(failure: ApiError, mode: Settings['httpStatus']): number {
  const entry: ErrorCodeEntry = errorCodes[failure.code];
  return entry.statusAlwaysSent || mode === 'standard' ? entry.standardStatus : 200;
}

/** JSON Schema of the envelope of a failure, for the compiled serializer. */
export const envelopeSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};
