import { type OperationName, OutcomeUnknownError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationKey } from './prepare-request.ts';
import type { ClockReading } from './server-clock.ts';

/** The history of a call; every decision about the call is based on it. */
export interface CallProgress {
  readonly key: OperationKey;
  /** By the clock of `performance.now()`, which nobody sets. */
  readonly startedAtMs: number;
  /** Whether the write applies to one revision only. */
  readonly conditional: boolean;
  /** Requests sent, under any signature. */
  attempts: number;
  /** Requests sent under the current signature. */
  timesSent: number;
  /** The time that the current signature was made with. */
  reading: ClockReading;
  /** Whether an answer was lost, so the write may have been applied. */
  lost: boolean;
  /** Whether the server reported overload, which it normally does before doing anything. */
  overloaded: boolean;
  clockCorrected: boolean;
}

/**
 * Whether repeating a write has no further effect, so it may be signed again although its outcome is unknown.
 * Creating or unbinding twice fails, and the caller would be blamed for it.
 */
const repeatable: Readonly<Record<WriteKey, boolean>> = {
  createUser: false,
  updateUser: true,
  bindUserRole: true,
  unbindUserRole: false,
  bindUserOrg: true,
  unbindUserOrg: false,
  bindUserStore: true,
  unbindUserStore: false,
  batchUpdateUserStores: true,
  createRole: false,
  updateRole: true,
  deleteRole: false,
  createOrg: false,
  updateOrg: true,
  deleteOrg: false,
  createStore: false,
  updateStore: true,
  deleteStore: false,
  upsertStores: true,
  batchUsers: true,
  deleteUser: false,
  setUserStatus: true,
};

/** The operations that write. Each new one needs an entry above. */
type WriteKey = {
  [Key in OperationKey]: (typeof operations)[Key]['access'] extends 'read' ? never : Key;
}[OperationKey];

export function isRead(key: OperationKey): key is Exclude<OperationKey, WriteKey> {
  return operations[key].access === 'read';
}

export function nameOf({ key }: CallProgress): OperationName {
  return operations[key].name;
}

/** Returns whether running the operation under a new signature is harmless. */
export function maySignAgain({ key, conditional, lost, overloaded }: CallProgress): boolean {
  if (isRead(key) || !(lost || overloaded)) return true;
  // If the first request was applied, the revision has changed, and the server would refuse the second one.
  return repeatable[key] && !conditional;
}

/** Returns the error to end a call with: the last one, unless the outcome of a write is unknown. */
export function endWith(error: Error, progress: CallProgress): Error {
  if (!progress.lost || isRead(progress.key)) return error;
  return new OutcomeUnknownError(
    nameOf(progress),
    `whether ${nameOf(progress)} was applied is not known: an answer was lost, and then: ${error.message}`,
    { cause: error, reach: 'lost' },
  );
}
