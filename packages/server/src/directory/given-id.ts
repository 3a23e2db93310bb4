import { ApiError } from '../api-error.ts';

/** Returns the caller's id for a new object. Typed clients send 0 for an unset id. */
export function givenId(id: bigint | undefined): bigint | undefined {
  if (id !== undefined && id < 0n)
    throw new ApiError(1001, `id must be positive; it is ${id}; leave it out to get a new one`);
  return id === 0n ? undefined : id;
}
