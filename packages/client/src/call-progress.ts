import { type OperationName, OutcomeUnknownError } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationKey } from './prepare-request.ts';
import type { ClockReading } from './server-clock.ts';

/** What a call has been through so far; everything that is decided about it is decided from this. */
export interface CallProgress {
  readonly key: OperationKey;
  readonly startedAtMs: number;
  /** Whether a write is to be applied to one revision only. */
  readonly conditional: boolean;
  /** Requests sent, under whatever signature. */
  attempts: number;
  /** Requests sent under the present signature. */
  timesSent: number;
  /** The time that the present signature was made with. */
  reading: ClockReading;
  /** Whether some answer was lost, so that the write may have been applied. */
  lost: boolean;
  /** Whether the server was overloaded, which it answers before doing anything, as far as it knows. */
  overloaded: boolean;
  clockCorrected: boolean;
}

/**
 * Whether a write comes to the same when it is done twice, so that it may be signed anew although its outcome
 * is not known. To create or unbind twice is an error, and would be taken for the fault of the caller.
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

/** The operations that write; one that joins the contract has to be told apart above. */
type WriteKey = {
  [Key in OperationKey]: (typeof operations)[Key]['access'] extends 'read' ? never : Key;
}[OperationKey];

export function isRead(key: OperationKey): key is Exclude<OperationKey, WriteKey> {
  return operations[key].access === 'read';
}

export function nameOf({ key }: CallProgress): OperationName {
  return operations[key].name;
}

/** Whether doing the operation under a new signature cannot do harm. */
export function maySignAnew({ key, conditional, lost, overloaded }: CallProgress): boolean {
  if (isRead(key) || !(lost || overloaded)) return true;
  // Had the first one been applied, the second would find another revision, and be refused for that.
  return repeatable[key] && !conditional;
}

/** The error to end a call with: what went wrong last, unless that leaves open what became of a write. */
export function endWith(error: Error, progress: CallProgress): Error {
  if (!progress.lost || isRead(progress.key)) return error;
  return new OutcomeUnknownError(
    nameOf(progress),
    `whether ${nameOf(progress)} was applied is not known: an answer was lost, and then: ${error.message}`,
    { cause: error },
  );
}
