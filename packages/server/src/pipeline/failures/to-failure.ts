import { limits } from '@fieldroster/contract';
import {
  AlreadyAcceptedError,
  ClaimsPurgedError,
  KeyReplacedError,
  NonceUsedError,
  OutcomeUnknownError,
} from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import { BusyError } from '../../errors/busy-error.ts';

/**
 * Turns any thrown value into the failure that the caller reads. Nothing else does. The contract promises some of the
 * beginnings of these messages, because programs read them.
 *
 * @param nowMs the server's time, in Unix milliseconds
 */
export function toFailure(thrown: unknown, requestId: string, nowMs: number): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof NonceUsedError) {
    return new ApiError(
      1015,
      'this nonce was used before, and nothing was done now; sign again with a new nonce for every request',
      { cause: thrown },
    );
  }
  if (thrown instanceof AlreadyAcceptedError) {
    return new ApiError(
      1015,
      'this signed request has already taken effect, and nothing was done now; take it as success, or sign with a new nonce to repeat it on purpose',
      { cause: thrown },
    );
  }
  if (thrown instanceof ClaimsPurgedError) {
    return purgedFailure(thrown, nowMs);
  }
  // A process learns within a second that the master key was replaced.
  if (thrown instanceof BusyError || thrown instanceof KeyReplacedError) {
    return new ApiError(1503, 'the server cannot take this now; send the same request again in a moment', {
      cause: thrown,
      retryAfterSeconds: 1,
    });
  }
  if (thrown instanceof OutcomeUnknownError) {
    return new ApiError(1500, unknownMessage(thrown, requestId), { cause: thrown });
  }
  return new ApiError(
    1500,
    `internal error; the operator can find its cause by the request id ${requestId}`,
    { cause: thrown },
  );
}

function unknownMessage({ claimed }: OutcomeUnknownError, requestId: string): string {
  const next = claimed
    ? 'send the same signed request again: 1015 proves that it took effect'
    : 'check whether it took effect before you repeat it';
  return `the outcome is unknown; ${next}; the operator can find its cause by the request id ${requestId}`;
}

/** Names the server's time in the same words as every 1012, because clients read it to correct their clocks. */
function purgedFailure(cause: ClaimsPurgedError, nowMs: number): ApiError {
  const timestamp = cause.expiresAtSeconds - limits.timestampSkewSeconds;
  const lastPurged = cause.purgedThroughSeconds - limits.timestampSkewSeconds;
  const nowSeconds = Math.floor(nowMs / 1000);
  const waitSeconds = lastPurged < nowSeconds ? 0 : lastPurged + 1 - nowSeconds;
  const again =
    waitSeconds === 0
      ? 'sign again with the current time, and if that is refused too,'
      : `after a restore, writes are refused for a while: sign again in ${waitSeconds} seconds. If nothing was restored,`;
  const message =
    `the record of requests up to Timestamp ${lastPurged} was purged, so Timestamp ${timestamp} is too old to tell ` +
    `whether this request is new (the server's time ${nowSeconds}); ${again} ask the operator to check the servers' ` +
    'clocks with `fieldroster claims status`';
  return new ApiError(1012, message, { cause, ...(waitSeconds > 0 && { retryAfterSeconds: waitSeconds }) });
}
