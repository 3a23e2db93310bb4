import { type Operation, type OperationKey, operations } from '@fieldroster/contract';
import { ApiError } from './api-error.ts';
import type { ApplicationDirectory } from './applications/application-directory.ts';
import type { ReplayRule } from './config.ts';
import type { Change, WriteContext } from './operations/handler.ts';
import { handlers } from './operations/handlers.ts';
import type { Call } from './pipeline/call.ts';
import { claimNonceOfRead, claimOfWrite } from './pipeline/claim-once.ts';
import type { RateLimiter } from './pipeline/limit-rate.ts';
import { type InputParser, inputParser } from './pipeline/parse-input.ts';
import { requireScope } from './pipeline/require-scope.ts';
import { type Caller, verifySignature } from './pipeline/verify-signature.ts';
import type { DirectoryWriter, Store } from './store/store.ts';
import type { PasswordHasher } from './users/password-hasher.ts';

/** What the steps work with. */
export interface PipelineParts {
  readonly store: Store;
  readonly applications: ApplicationDirectory;
  readonly passwords: PasswordHasher;
  readonly replay: ReplayRule;
  readonly limitRate: RateLimiter;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type AnyHandler = (input: unknown, context: WriteContext<Operation>) => Promise<unknown>;

const inputParsers = new Map<OperationKey, InputParser>(
  (Object.keys(operations) as OperationKey[]).map((key) => [key, inputParser(operations[key])]),
);

/**
 * Takes one request through every step and returns the operation's `data`. Whatever a step throws ends the
 * request; nothing of the body is parsed before the signature and the scope are known to be good.
 */
export async function runPipeline(call: Call, parts: PipelineParts): Promise<unknown> {
  const nowMs = parts.now();
  const caller = verifySignature(call, parts.applications, nowMs);
  requireScope(call.operation, caller.application);
  parts.limitRate(caller.application, nowMs);
  const input = parseInput(call, caller);
  if (call.operation.access === 'read') await claimNonceOfRead(caller, parts.replay, parts.store);
  return runHandler(call, caller, input, parts);
}

function parseInput(call: Call, caller: Caller): unknown {
  const parse = inputParsers.get(call.key);
  if (parse === undefined) throw new TypeError(`no parser for ${call.key}`);
  return parse(call, caller.parameters);
}

function runHandler(call: Call, caller: Caller, input: unknown, parts: PipelineParts): Promise<unknown> {
  // The table of handlers is typed by operation; here the operation is only known by its key.
  const handler = handlers[call.key] as unknown as AnyHandler;
  const { store, passwords, replay } = parts;
  const { tenantId, appId } = caller.application;
  return handler(input, {
    directory: store.directory(tenantId),
    refuse: (code, message) => new ApiError(code, message),
    sendRevision: (revision) => {
      call.revision = revision;
    },
    hashPassword: (password) => passwords.hash(password),
    write: <T>(work: (directory: DirectoryWriter) => Promise<Change<T>>) =>
      store.write(tenantId, claimOfWrite(caller, replay), async (directory) => {
        const { result, userId, changes } = await work(directory);
        const { requestId, operation } = call;
        return { result, audit: { appId, requestId, operation: operation.name, userId, changes } };
      }),
  });
}
