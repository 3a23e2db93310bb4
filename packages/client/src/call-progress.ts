import { type OperationName, OutcomeUnknownError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationKey } from './prepare-request.ts';
import type { ClockReading } from './server-clock.ts';

/** The history of a call; every decision about the call is based on it. */
export interface CallProgress {
  readonly key: OperationKey;
  /** By `performance.now()`, which a change of the system's clock does not move. */
  readonly startedAtMs: number;
  /** Whether it is a read or a dry run. */
  readonly changesNothing: boolean;
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

/** Other operations ignore a `dry_run`, and take effect. */
export function changesNothing(key: OperationKey, input: { readonly dry_run?: unknown }): boolean {
  const operation: { readonly access: string; readonly dryRun?: boolean } = operations[key];
  return operation.access === 'read' || (operation.dryRun === true && input.dry_run === true);
}

export function nameOf({ key }: CallProgress): OperationName {
  return operations[key].name;
}

/** Returns whether running the operation under a new signature is harmless. */
export function maySignAgain(progress: CallProgress): boolean {
  const { key, changesNothing, conditional, lost, overloaded } = progress;
  if (changesNothing || !(lost || overloaded)) return true;
  const operation = operations[key];
  // If the first request was applied, the revision has changed, and the server would refuse the second one.
  return operation.access !== 'read' && operation.repeatable && !conditional;
}

/** Returns the error to end a call with: the last one, unless the outcome of a write is unknown. */
export function endWith(error: Error, progress: CallProgress): Error {
  if (!progress.lost || progress.changesNothing) return error;
  return new OutcomeUnknownError(
    nameOf(progress),
    `it is not known whether ${nameOf(progress)} was applied: an answer was lost, and then: ${error.message}`,
    { cause: error, reach: 'lost' },
  );
}
