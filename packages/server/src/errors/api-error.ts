import type { ErrorCode } from '@fieldroster/contract';
import type { ConsoleErrorCode } from '@fieldroster/contract/console';
import { type Problem, problemInEnglish } from '@fieldroster/contract/problems';
import { ExpectedError } from './expected-error.ts';

/** A failure reported to the caller: a code of the catalogue and a message that says what to do. */
export class ApiError extends ExpectedError {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | ConsoleErrorCode;
  /** The message as data, which the console says in other languages; absent for most failures. */
  readonly problem: Problem | undefined;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param message what the caller reads, or the problem that says so
   * @param options.cause what the log keeps and the caller never sees
   */
  constructor(
    code: ErrorCode | ConsoleErrorCode,
    message: string | Problem,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    const text = typeof message === 'string' ? message : problemInEnglish(message);
    super(text, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.problem = typeof message === 'string' ? undefined : message;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
