import { type Operation, operations } from '@fieldroster/contract';
import {
  type ConsoleOperation,
  type ConsoleOperationKey,
  consoleOperations,
  roleOf,
} from '@fieldroster/contract/console';
import type { QueryParameter } from '@fieldroster/signing';
import { ApiError } from '../api-error.ts';
import { type AcceptanceClaim, type Actor, AlreadyAcceptedError } from '../database/database.ts';
import { runUnderDeadline } from '../deadline.ts';
import { type Call, noBody } from '../pipeline/call.ts';
import { deadlineOf } from '../pipeline/call-deadline.ts';
import { FailedCall } from '../pipeline/failed-call.ts';
import { type InputParser, inputParser } from '../pipeline/parse-input.ts';
import { perOperation } from '../pipeline/per-operation.ts';
import {
  type Answer,
  envelopeSerializer,
  type LargeAnswer,
  presentAnswer,
  presentLargeAnswer,
} from '../pipeline/present-answer.ts';
import { type HandlerParts, runHandler } from '../pipeline/run-handler.ts';
import { claimChange } from './change-claim.ts';
import type { ConsoleCall, CookieChange, DirectoryTarget } from './console-call.ts';
import { type ConsoleContext, type ConsoleHandler, type ConsoleParts, refuse } from './console-context.ts';
import { consoleHandlers } from './handlers.ts';
import { type Demand, noSession, requireRole, requireTenantAccess } from './require-access.ts';
import { requireOwnPage } from './require-own-page.ts';
import type { SignedIn } from './sessions.ts';

/** Dependencies of the steps. */
export interface ConsolePipelineParts extends ConsoleParts, HandlerParts {
  /** Throws 1429 when an operator makes too many calls. */
  readonly limitRate: (operatorId: bigint) => void;
}

/** The answer to a call, and its effect on the cookie. */
export interface ConsoleAnswer {
  /** The operator's username; absent for a visitor. */
  readonly operator: string | undefined;
  readonly answer: Answer | LargeAnswer;
  readonly cookie: CookieChange;
}

/** The caller, as the steps identified it. */
interface Caller {
  readonly signedIn: SignedIn | undefined;
  readonly tenantId: bigint | undefined;
  readonly claim: AcceptanceClaim | undefined;
}

const directoryParsers = perOperation(inputParser);
const ownParsers = perConsoleOperation((operation) => inputParser(asSigned(operation)));
const ownSerializers = perConsoleOperation((operation) => envelopeSerializer(asSigned(operation)));

/**
 * Takes one call of the console through every step, in this order. It differs from a signed call in its first steps: it
 * uses a session instead of the signature, a role instead of the scope, and a UUID from the page instead of the nonce.
 */
export async function runConsoleCall(call: ConsoleCall, parts: ConsolePipelineParts): Promise<ConsoleAnswer> {
  requireOwnPage(call);
  const demand = demandOf(call);
  const signedIn = await requireSession(call, demand, parts);
  if (signedIn === undefined) return answer(call, { signedIn, tenantId: undefined, claim: undefined }, parts);
  const { operator } = signedIn;
  parts.limitRate(operator.id);
  requireRole(demand, operator);
  const tenantId =
    demand.reach === 'tenant' ? await requireTenantAccess(call.tenant, operator, parts.tenants) : undefined;
  const changes = call.method !== 'GET';
  const claim = changes ? claimChange(operator.id, call.changeId, call.requestId, parts.now()) : undefined;
  return answer(call, { signedIn, tenantId, claim }, parts);
}

function demandOf({ target }: ConsoleCall): Demand {
  if (target.kind === 'own') return target.operation;
  const operation: Operation = operations[target.key];
  return { name: operation.name, reach: 'tenant', role: roleOf(operation) };
}

async function requireSession(
  { sessionToken }: ConsoleCall,
  { reach }: Demand,
  { sessions }: ConsoleParts,
): Promise<SignedIn | undefined> {
  if (reach === 'visitor') return undefined;
  const signedIn = sessionToken === undefined ? undefined : await sessions.find(sessionToken);
  if (signedIn !== undefined) return signedIn;
  throw noSession();
}

async function answer(
  call: ConsoleCall,
  caller: Caller,
  parts: ConsolePipelineParts,
): Promise<ConsoleAnswer> {
  const operator = caller.signedIn?.operator.username;
  try {
    return { operator, ...(await carryOut(call, caller, parts)) };
  } catch (thrown) {
    const failure =
      thrown instanceof AlreadyAcceptedError
        ? new ApiError(1015, 'this change was already made; reload the page to see it', { cause: thrown })
        : thrown;
    throw new FailedCall(failure, { appId: operator });
  }
}

async function carryOut(
  call: ConsoleCall,
  caller: Caller,
  parts: ConsolePipelineParts,
): Promise<{ answer: Answer | LargeAnswer; cookie: CookieChange }> {
  const { target } = call;
  const signedCall = asSignedCall(call);
  const received = call.incoming === undefined ? noBody : await call.incoming.receive();
  const deadline = deadlineOf(signedCall.operation, received.bytes.length, 'console');
  return runUnderDeadline(deadline, async () => {
    const parse = parserOf(call);
    const input = await parse(signedCall, parametersOf(call.query), received);
    if (target.kind === 'own') return runOwn(call, target.operation, input, caller, parts);
    return { answer: await runDirectory(target, signedCall, input, caller, parts), cookie: undefined };
  });
}

function parserOf({ target }: ConsoleCall): InputParser {
  return target.kind === 'own' ? ownParsers[keyOf(target.operation)] : directoryParsers[target.key];
}

/** Runs the handler that signed calls use, for the tenant in the path. */
async function runDirectory(
  { key }: DirectoryTarget,
  call: Call,
  input: unknown,
  { signedIn, tenantId, claim }: Caller,
  parts: ConsolePipelineParts,
): Promise<Answer | LargeAnswer> {
  if (signedIn === undefined || tenantId === undefined) throw new TypeError('a directory call has no tenant');
  const by = { tenantId, scope: 'manage', actor: actorOf(signedIn) } as const;
  const result = await runHandler(call, by, claim, input, parts);
  return presentLargeAnswer(key, result) ?? presentAnswer(key, result);
}

async function runOwn(
  call: ConsoleCall,
  operation: ConsoleOperation,
  input: unknown,
  caller: Caller,
  parts: ConsolePipelineParts,
) {
  const key = keyOf(operation);
  let cookie: CookieChange;
  const context = contextOf(call, operation, caller, parts, (change) => {
    cookie = change;
  });
  // The table of handlers is typed by operation; here the operation is only known by its key.
  const handler = consoleHandlers[key] as ConsoleHandler<ConsoleOperation>;
  const data = (await handler(input as never, context)) as object | undefined;
  return { answer: { body: ownSerializers[key](data), etag: undefined }, cookie };
}

function contextOf(
  call: ConsoleCall,
  { name }: ConsoleOperation,
  { signedIn, tenantId, claim }: Caller,
  parts: ConsolePipelineParts,
  setCookie: ConsoleContext['setCookie'],
): ConsoleContext {
  const { requestId, address, disconnectSignal } = call;
  return {
    parts,
    requestId,
    address,
    disconnectSignal,
    claim,
    refuse,
    setCookie,
    get signedIn() {
      return required(signedIn, `${name} is for visitors`);
    },
    get actor(): Actor {
      return actorOf(required(signedIn, `${name} is for visitors`));
    },
    get tenantId() {
      return required(tenantId, `${name} has no tenant`);
    },
    event: (changes) => ({
      ...(signedIn !== undefined && { operatorId: signedIn.operator.id }),
      requestId,
      operation: name,
      changes,
    }),
  };
}

function actorOf({ operator }: SignedIn): Actor {
  return { kind: 'operator', id: String(operator.id) };
}

function required<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new TypeError(problem);
  return value;
}

/** The call as the steps of signed calls know it. */
function asSignedCall(call: ConsoleCall): Call {
  const { target, requestId, method, contentType, contentEncoding, disconnectSignal } = call;
  const unsigned = { authorization: undefined, timestamp: undefined, nonce: undefined, host: undefined };
  return {
    ...unsigned,
    // The steps of a console call read only `operation`, so the console's own operations pass any valid key.
    key: target.kind === 'own' ? 'queryUser' : target.key,
    operation: target.kind === 'own' ? asSigned(target.operation) : operations[target.key],
    requestId,
    method,
    target: call.query,
    contentType,
    contentEncoding,
    disconnectSignal,
    address: call.address,
  };
}

/** The operation as the parser, the serializer and the deadline of signed calls know it. */
function asSigned({ name, method, path, summary, query, body, data }: ConsoleOperation): Operation {
  return {
    name,
    method,
    path,
    summary,
    description: summary,
    access: 'read',
    successMessage: '',
    codes: [],
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body }),
    ...(data !== undefined && { data }),
  };
}

function parametersOf(query: string): QueryParameter[] {
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

const keys = new Map<ConsoleOperation, ConsoleOperationKey>(
  Object.entries(consoleOperations).map(([key, operation]) => [operation, key as ConsoleOperationKey]),
);

function keyOf(operation: ConsoleOperation): ConsoleOperationKey {
  return required(keys.get(operation), `${operation.name} is not in the console's table`);
}

function perConsoleOperation<T>(make: (operation: ConsoleOperation) => T): Record<ConsoleOperationKey, T> {
  const entries = Object.entries(consoleOperations).map(([key, operation]) => [key, make(operation)]);
  return Object.fromEntries(entries) as Record<ConsoleOperationKey, T>;
}
