import { ApiError } from '../api-error.ts';

/** The id that the caller chose for something new. Typed clients send 0 for one that is not set. */
export function givenId(id: bigint | undefined): bigint | undefined {
  if (id !== undefined && id < 0n)
    throw new ApiError(1001, 'id must be positive, or left out to be given one');
  return id === 0n ? undefined : id;
}
