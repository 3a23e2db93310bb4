import type { ErrorCode } from '@fieldroster/contract';
import type { ConsoleErrorCode } from '@fieldroster/contract/console';
import { ExpectedError } from './expected-error.ts';

/** A failure reported to the caller: a code of the catalogue and a message that says what to do. */
export class ApiError extends ExpectedError {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | ConsoleErrorCode;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param message what the caller reads
   * @param options.cause what the log keeps and the caller never sees
   */
  constructor(
    code: ErrorCode | ConsoleErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
