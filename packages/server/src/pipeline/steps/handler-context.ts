import type { Access, Operation } from '@fieldroster/contract';
import type {
  AcceptanceClaim,
  Actor,
  Database,
  DirectoryWriter,
  WriteResult,
} from '../../database/database.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Change, PasswordWork, WriteContext } from '../../operations/handler.ts';
import type { PasswordGuesses } from '../../passwords/password-guesses.ts';
import type { PasswordHasher } from '../../passwords/password-hasher.ts';
import { currentDeadline } from '../../time/deadline.ts';
import type { OperationCall } from '../call.ts';
import { runWithTimeFor } from '../call-deadline.ts';
import { FailedCall } from '../failures/failed-call.ts';
import type { LargeDryRuns } from './large-dry-runs.ts';

/** The caller of a handler: an application, or an operator at the console. */
export interface HandlerCaller {
  readonly tenantId: bigint;
  readonly scope: Access;
  /** The application, in audit rows and counts of failed passwords. */
  readonly appId?: string;
  /** The operator, in audit rows. */
  readonly actor?: Actor;
}

/** A call that has passed the steps before its handler. */
export interface HandlerCall {
  readonly call: OperationCall;
  readonly caller: HandlerCaller;
  /** The claim that the handler's write makes in its transaction. */
  readonly claim: AcceptanceClaim | undefined;
}

/** Dependencies of the handlers' context. */
export interface HandlerParts {
  readonly database: Database;
  readonly passwords: PasswordHasher;
  readonly guesses: PasswordGuesses;
  readonly largeDryRuns: LargeDryRuns;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Makes the context of a handler, bound to the caller's tenant and to the caller in the audit rows. */
export function handlerContext(
  { call, caller, claim }: HandlerCall,
  parts: HandlerParts,
): WriteContext<Operation> {
  const { database, largeDryRuns, now } = parts;
  const { tenantId, scope } = caller;
  const writeWith = <T>(
    claimed: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<Change<T>>,
  ) =>
    database.write(tenantId, claimed, async (directory) =>
      toWriteResult(await work(directory), call, caller),
    );
  return {
    scope,
    directory: database.directory(tenantId),
    refuse,
    passwords: passwordWork({ call, caller, claim }, parts),
    now,
    dryRunMany: (rows, work) => largeDryRuns.run(rows, call.disconnectSignal(), work),
    write: (work) => writeWith(claim, work),
    writeMany: (rows, work) =>
      runWithTimeFor(rows, (requireTimeFor) =>
        writeWith(claim, (directory) => work(directory, requireTimeFor)),
      ),
    writeAside: (work) => writeWith(undefined, work),
  };
}

const refuse: WriteContext<Operation>['refuse'] = (code, message) => new ApiError(code, message);

function toWriteResult<T>(
  change: Change<T>,
  call: OperationCall,
  { appId, actor }: HandlerCaller,
): WriteResult<T> {
  const { result, more = [], userId, changes } = change;
  const who = { ...(appId !== undefined && { appId }), ...(actor !== undefined && { actor }) };
  const by = { ...who, requestId: call.requestId, operation: call.operation.name };
  const audit = { ...by, ...(userId !== undefined && { userId }), changes };
  return { result, audit, more: more.map((effect) => ({ ...by, ...effect })) };
}

/** Pauses the deadline, which limits waits for the database: a batch may hash a thousand passwords on a busy server. */
function pauseDeadlineDuring<T>(work: () => Promise<T>): Promise<T> {
  return currentDeadline()?.pauseDuring(work) ?? work();
}

function passwordWork(
  { call, caller: { tenantId, appId = 'console' }, claim }: HandlerCall,
  { database, passwords, guesses }: HandlerParts,
): PasswordWork {
  // The signal is made on demand, and most operations never ask for it.
  const signal = () => call.disconnectSignal();
  const patient = () => currentDeadline()?.patient === true;
  const owner = () => ({ group: `tenant ${tenantId}`, owner: appId, patient: patient(), signal: signal() });
  let refusedIfCopy: Promise<void> | undefined;
  return {
    async hash(password) {
      // A client that sends a write again until it is answered must not pay for its passwords each time.
      refusedIfCopy ??= claim && database.claims.refuseCopy(claim);
      await refusedIfCopy;
      return pauseDeadlineDuring(() => passwords.hash(owner(), password));
    },
    verify: (password, hash) => pauseDeadlineDuring(() => passwords.verify(owner(), password, hash)),
    countFailures: (username, check) =>
      guesses.countFailures({ tenantId, signal: signal(), appId, username }, check),
    async logUsername(username, work) {
      try {
        return await work();
      } catch (thrown) {
        throw new FailedCall(thrown, { usernameHash: guesses.hashOf({ tenantId, username }) });
      }
    },
  };
}
