import type { MismatchDescription } from '../../call-records/describe-mismatch.ts';
import { ExpectedError } from '../../errors/expected-error.ts';

/** The caller of a failed call, as the log and the call records show it. */
export interface LoggedCaller {
  /** The APPID in the request; only its start when no application has it. */
  readonly appId?: string | undefined;
  /** A keyed hash of the username whose password was checked. */
  readonly usernameHash?: string;
  /** Whether the request proved its APPID or only named one; absent when no application has it. */
  readonly application?: 'verified' | 'named';
  /** Describes a signature that does not match, for the operator. */
  readonly describeMismatch?: () => MismatchDescription;
}

/** Carries the error of a step as its cause, with what the steps had learned about the caller by then. */
export class FailedCall extends ExpectedError {
  readonly caller: LoggedCaller;

  constructor(thrown: unknown, caller: LoggedCaller) {
    const inner = FailedCall.of(thrown);
    super('the call failed', { cause: inner.cause });
    this.caller = { ...inner.caller, ...caller };
  }

  /** Separates the thrown error from the knowledge about the caller, which most errors lack. */
  static of(thrown: unknown): Pick<FailedCall, 'cause' | 'caller'> {
    return thrown instanceof FailedCall ? thrown : { cause: thrown, caller: {} };
  }
}
