import type { FailedCallRecord } from '../../call-records.ts';
import type { Schema } from '../schema.ts';

type FailureRow = Schema['failed_call'];

/** The columns that `fromFailureRow` reads. */
export const failureColumns = [
  'request_id',
  'at',
  'verified',
  'app_id',
  'operation',
  'code',
  'message',
  'duration_us',
  'address',
  'method',
  'target',
  'cause',
  'strings_to_sign',
] as const;

export function toFailureRow(failure: FailedCallRecord): FailureRow {
  return {
    request_id: failure.requestId,
    at: BigInt(failure.atMs),
    verified: failure.verified ? 1n : 0n,
    app_id: failure.appId ?? null,
    operation: failure.operation ?? null,
    code: BigInt(failure.code),
    message: failure.message,
    duration_us: BigInt(Math.round(failure.durationUs)),
    address: failure.address ?? null,
    method: failure.method,
    target: failure.target,
    cause: failure.cause ?? null,
    strings_to_sign: failure.stringsToSign === undefined ? null : JSON.stringify(failure.stringsToSign),
  };
}

export function fromFailureRow(row: FailureRow): FailedCallRecord {
  return {
    requestId: row.request_id,
    atMs: Number(row.at),
    verified: row.verified === 1n,
    code: Number(row.code),
    message: row.message,
    durationUs: Number(row.duration_us),
    method: row.method,
    target: row.target,
    ...(row.app_id !== null && { appId: row.app_id }),
    ...(row.operation !== null && { operation: row.operation }),
    ...(row.address !== null && { address: row.address }),
    ...(row.cause !== null && { cause: row.cause }),
    ...(row.strings_to_sign !== null && { stringsToSign: JSON.parse(row.strings_to_sign) as string[] }),
  };
}
