import { ApiError } from '../../errors/api-error.ts';

/** The refusal of a body for which there is no memory. */
export function tooMuchAtOnce(cause: string): ApiError {
  return new ApiError(
    1503,
    'the server is receiving too much at once; send the same request again in a moment',
    { cause, retryAfterSeconds: 1 },
  );
}
