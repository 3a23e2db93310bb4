import { type ErrorCodeEntry, errorCodes } from '@fieldroster/contract';
import { consoleErrorCodes } from '@fieldroster/contract/console';
import type { Settings } from '../../config.ts';
import type { ApiError } from '../../errors/api-error.ts';

/** The body of a response without `data`. */
export interface Envelope {
  readonly code: number;
  readonly message: string;
}

const entries = { ...errorCodes, ...consoleErrorCodes };

/** Returns the HTTP status of a failure: 200, unless statuses are standard or the code always sends its own. */
export function statusOf(failure: ApiError, mode: Settings['httpStatus']): number {
  const entry: ErrorCodeEntry = entries[failure.code];
  return entry.statusAlwaysSent || mode === 'standard' ? entry.standardStatus : 200;
}

/** JSON Schema of a failure's envelope, for the compiled serializer. */
export const envelopeSchema = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};
