import { ApiError } from '../errors/api-error.ts';

/** Returns the caller's id for a new object. Typed clients send 0 for an unset id. */
export function givenId(id: bigint | undefined): bigint | undefined {
  if (id !== undefined && id < 0n)
    throw new ApiError(1001, { key: 'notPositive', values: { field: 'id', value: String(id) } });
  return id === 0n ? undefined : id;
}
