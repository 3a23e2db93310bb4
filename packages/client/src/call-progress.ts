import { type OperationName, OutcomeUnknownError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationKey } from './prepare-request.ts';
import type { ClockReading } from './server-clock.ts';

/** The history of a call; every decision about the call is based on it. */
export interface CallProgress {
  readonly key: OperationKey;
  /** By `performance.now()`, which a change of the system's clock does not move. */
  readonly startedAtMs: number;
  /** Whether the write applies to one revision only. */
  readonly conditional: boolean;
  /** Requests sent, under any signature. */
  attempts: number;
  /** The time that the current signature was made with. */
  reading: ClockReading;
  /** Whether an answer was lost, so the write may have been applied. */
  lost: boolean;
  /** Whether the server reported overload, which it normally does before doing anything. */
  overloaded: boolean;
  clockCorrected: boolean;
}

export function isRead(key: OperationKey): boolean {
  return operations[key].access === 'read';
}

export function nameOf({ key }: CallProgress): OperationName {
  return operations[key].name;
}

/** Returns whether running the operation under a new signature is harmless. */
export function maySignAgain({ key, conditional, lost, overloaded }: CallProgress): boolean {
  const operation = operations[key];
  if (operation.access === 'read' || !(lost || overloaded)) return true;
  // If the first request was applied, the revision has changed, and the server would refuse the second one.
  return operation.repeatable && !conditional;
}

/** Returns the error to end a call with: the last one, unless the outcome of a write is unknown. */
export function endWith(error: Error, progress: CallProgress): Error {
  if (!progress.lost || isRead(progress.key)) return error;
  return new OutcomeUnknownError(
    nameOf(progress),
    `it is not known whether ${nameOf(progress)} was applied: an answer was lost, and then: ${error.message}`,
    { cause: error, reach: 'lost' },
  );
}
