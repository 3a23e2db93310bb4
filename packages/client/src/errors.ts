import { type ErrorCode, type ErrorName, errorNames } from './generated/error-names.ts';
import type { operations } from './generated/operations.ts';

/** The kebab-case name of an operation, as in the server's documents and logs. */
export type OperationName = (typeof operations)[keyof typeof operations]['name'];

/** The fields of a {@link FieldrosterError}. */
export interface Refusal<Code extends number = number> {
  readonly code: Code;
  readonly message: string;
  readonly operation: OperationName;
  readonly httpStatus: number;
  readonly requestId: string | undefined;
}

/** The server answered with a code other than 0. `message` is the server's own. */
export class FieldrosterError<Code extends number = number> extends Error {
  override readonly name = 'FieldrosterError';
  readonly code: Code;
  /** Stable name of the code; `'unknown-code'` if this version does not know it. */
  readonly codeName: ErrorName | 'unknown-code';
  readonly operation: OperationName;
  readonly httpStatus: number;
  /** Identifies the request in the server's log; `undefined` where a browser may not read the header. */
  readonly requestId: string | undefined;

  constructor(refusal: Refusal<Code>) {
    super(refusal.message);
    this.code = refusal.code;
    this.codeName = nameOf(refusal.code);
    this.operation = refusal.operation;
    this.httpStatus = refusal.httpStatus;
    this.requestId = refusal.requestId;
  }
}

function nameOf(code: number): ErrorName | 'unknown-code' {
  return code in errorNames ? errorNames[code as ErrorCode] : 'unknown-code';
}

/**
 * Returns whether an error is the server's answer with one of the codes, or with any code if none is given.
 *
 * @example if (isFieldrosterError(error, 1101)) return undefined;
 */
export function isFieldrosterError(error: unknown): error is FieldrosterError;
export function isFieldrosterError<const Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly [Code, ...Code[]]
): error is FieldrosterError<Code>;
export function isFieldrosterError(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof FieldrosterError && (codes.length === 0 || codes.includes(error.code));
}

/**
 * How far an unanswered request got:
 *
 * - `'unsent'`: no connection was made, because nothing listens there or the host is not known.
 * - `'misdirected'`: something else answers there, such as a proxy, or it speaks http and not https. Check the URL.
 * - `'refused'`: the server never received it, and another try would fail too: its certificate was refused, or a proxy takes no
 *   body of this size.
 * - `'oversized'`: the answer is larger than `answerBytesMax`; the server never sends one larger than the default.
 * - `'lost'`: the server may have received it; the connection broke or the time ran out.
 */
export type Reach = 'unsent' | 'misdirected' | 'refused' | 'oversized' | 'lost';

/** No answer arrived from the server; `reach` says why. */
export class TransportError extends Error {
  override readonly name: 'TransportError' | 'OutcomeUnknownError' = 'TransportError';
  readonly operation: OperationName;
  /** How far the last attempt came. */
  readonly reach: Reach;
  /** Whether this call may have changed the directory. Always false for a read. */
  readonly mayHaveBeenApplied: boolean = false;

  constructor(operation: OperationName, message: string, { reach, ...options }: TransportErrorOptions) {
    super(message, options);
    this.operation = operation;
    this.reach = reach;
  }
}

interface TransportErrorOptions extends ErrorOptions {
  readonly reach: Reach;
}

/**
 * A write was sent, its answer was lost, and retrying under the same signature is no longer possible. It took
 * effect once or not at all; check before repeating it. `cause` is what the last attempt ended with.
 */
export class OutcomeUnknownError extends TransportError {
  override readonly name = 'OutcomeUnknownError';
  override readonly mayHaveBeenApplied = true;
}

/**
 * The write took effect, but its answer was lost and its data could not be read afterwards. `cause` says why,
 * unless there is no way to read it.
 */
export class AnswerLostError extends Error {
  override readonly name = 'AnswerLostError';
  readonly operation: OperationName;

  constructor(operation: OperationName, options?: ErrorOptions) {
    super(`${operation} was applied, but its answer was lost and could not be read afterwards`, options);
    this.operation = operation;
  }
}

/** An answer holds an id that a `number` would round. If the call was a write, it was applied. */
export class UnsafeIdError extends RangeError {
  override readonly name = 'UnsafeIdError';
  readonly field: string;
  readonly value: bigint;

  constructor(field: string, value: bigint) {
    super(`${field} is ${value}, which a number cannot hold exactly; create the client with ids: 'bigint'`);
    this.field = field;
    this.value = value;
  }
}
