import { ApiError } from '../api-error.ts';
import { AlreadyAcceptedError, StoreBusyError } from '../store/store.ts';

/** The one place where whatever was thrown becomes what the caller is told. */
export function toFailure(thrown: unknown, requestId: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof AlreadyAcceptedError) {
    return new ApiError(
      1015,
      'this signed request was already processed; sign with a new nonce to repeat it on purpose',
      {
        cause: thrown,
      },
    );
  }
  if (thrown instanceof StoreBusyError) {
    return new ApiError(1503, 'the server cannot take this now; send the same request again in a moment', {
      cause: thrown,
      retryAfterSeconds: 1,
    });
  }
  return new ApiError(
    1500,
    `internal error; the operator finds the cause under the request id ${requestId}`,
    {
      cause: thrown,
    },
  );
}
