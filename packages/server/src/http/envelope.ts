import { type ErrorCodeEntry, errorCodes, type Operation } from '@fieldroster/contract';
import type { TObject } from 'typebox';
import type { ApiError } from '../api-error.ts';
import type { Settings } from '../config.ts';

/** The body of every response. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export function successEnvelope(operation: Operation, data: unknown): Envelope {
  const { successMessage } = operation;
  return data === undefined
    ? { code: 0, message: successMessage }
    : { code: 0, message: successMessage, data };
}

/** The HTTP status of a failure: 200 for what is about an operation, unless statuses are to be standard. */
export function statusOf(failure: ApiError, mode: Settings['httpStatus']): number {
  const entry: ErrorCodeEntry = errorCodes[failure.code];
  return entry.statusAlwaysSent || mode === 'standard' ? entry.standardStatus : 200;
}

/** JSON Schema of the envelope around an operation's `data`, for the compiled serializer. */
export function envelopeSchema(data?: TObject) {
  return {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'integer' },
      message: { type: 'string' },
      ...(data !== undefined && { data }),
    },
  };
}
