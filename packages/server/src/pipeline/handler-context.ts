import type { Operation } from '@fieldroster/contract';
import { ApiError } from '../api-error.ts';
import type { ReplayRule } from '../config.ts';
import type { AcceptanceClaim, Database, DirectoryWriter, WriteResult } from '../database/database.ts';
import { currentDeadline } from '../deadline.ts';
import type { Change, PasswordWork, WriteContext } from '../operations/handler.ts';
import type { PasswordGuesses } from '../passwords/password-guesses.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { Call } from './call.ts';
import { claimOfWrite } from './claim-once.ts';
import type { Caller } from './verify-signature.ts';

/** What handlers work with, through their context. */
export interface HandlerParts {
  readonly database: Database;
  readonly passwords: PasswordHasher;
  readonly guesses: PasswordGuesses;
  readonly replay: ReplayRule;
}

/** Binds what a handler may do to the caller: its tenant, its claim, its name in the audit rows. */
export function handlerContext(call: Call, caller: Caller, parts: HandlerParts): WriteContext<Operation> {
  const { database, replay } = parts;
  const { tenantId, scope } = caller.application;
  const work = passwordWork(call, caller, parts);
  const writeWith = <T>(
    claim: AcceptanceClaim | undefined,
    work: (directory: DirectoryWriter) => Promise<Change<T>>,
  ) =>
    database.write(tenantId, claim, async (directory) => toWriteResult(await work(directory), call, caller));
  return {
    scope,
    directory: database.directory(tenantId),
    refuse: (code, message) => new ApiError(code, message),
    sendRevision: (revision) => {
      call.revision = revision;
    },
    passwords: work,
    hashPassword: work.hash,
    write: (change) => writeWith(claimOfWrite(caller, replay, call.requestId), change),
    writeAside: (work) => writeWith(undefined, work),
  };
}

function toWriteResult<T>(change: Change<T>, call: Call, { application }: Caller): WriteResult<T> {
  const { result, more = [], userId, changes } = change;
  const by = { appId: application.appId, requestId: call.requestId, operation: call.operation.name };
  const audit = { ...by, ...(userId !== undefined && { userId }), changes };
  return { result, audit, more: more.map((effect) => ({ ...by, ...effect })) };
}

/** A batch may hash a thousand passwords, and a busy server makes them wait; the database is not to blame. */
function besideDatabase<T>(work: () => Promise<T>): Promise<T> {
  return currentDeadline()?.pauseDuring(work) ?? work();
}

function passwordWork(
  call: Call,
  { application }: Caller,
  { passwords, guesses }: HandlerParts,
): PasswordWork {
  const { tenantId, appId } = application;
  // The signal is made when it is asked for, which most operations never do.
  const owner = () => ({ tenantId, signal: call.disconnectSignal() });
  return {
    hash: (password) => besideDatabase(() => passwords.hash(owner(), password)),
    verify: (password, hash) => besideDatabase(() => passwords.verify(owner(), password, hash)),
    countFailures: (username, check) => {
      call.usernameHash = guesses.hashOf({ tenantId, username });
      return guesses.count({ ...owner(), appId, username }, check);
    },
  };
}
