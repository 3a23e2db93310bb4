import { type Operation, operations } from '@fieldroster/contract';
import {
  batchUsersOfConsole,
  type ConsoleOperation,
  consoleOperations,
  roleOf,
} from '@fieldroster/contract/console';
import type { QueryParameter } from '@fieldroster/signing';
import { AlreadyAcceptedError, type OperatorRecord } from '../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { noBody, type OperationCall } from '../pipeline/call.ts';
import { deadlineOf } from '../pipeline/call-deadline.ts';
import { FailedCall } from '../pipeline/failures/failed-call.ts';
import { perOperation } from '../pipeline/per-operation.ts';
import { encodeLargeAnswer } from '../pipeline/steps/encode-large-answer.ts';
import type { HandlerParts } from '../pipeline/steps/handler-context.ts';
import type { OperationInput } from '../pipeline/steps/input/operation-input.ts';
import { type InputParser, inputParser } from '../pipeline/steps/input/parse-input.ts';
import type { LargeBodies } from '../pipeline/steps/large-bodies.ts';
import { type ListKind, type ListQueue, listKindOf, listKinds } from '../pipeline/steps/list-queue.ts';
import type { LongLists } from '../pipeline/steps/long-lists.ts';
import {
  type Answer,
  envelopeSerializer,
  type LargeAnswer,
  largeSerializer,
} from '../pipeline/steps/present-answer.ts';
import { presentResult } from '../pipeline/steps/present-result.ts';
import { runHandler } from '../pipeline/steps/run-handler.ts';
import { runUnderDeadline } from '../time/deadline.ts';
import { claimChange } from './claim-change.ts';
import type { ConsoleCall, CookieChange, DirectoryAction } from './console-call.ts';
import type { ConsoleHandler, ConsoleParts } from './console-context.ts';
import { keyOf, perConsoleOperation } from './console-operation-keys.ts';
import { actorOf, type ConsoleCaller, contextOfCall, type OwnCall } from './context-of-call.ts';
import { consoleHandlers } from './handlers.ts';
import { ownerOfOperator, ownerOfVisitor } from './owner-of-turns.ts';
import { type Demand, noSession, requireOperatorRole, requireTenantAccess } from './require-access.ts';
import { requireOwnChange } from './require-own-change.ts';
import { requireOwnPage } from './require-own-page.ts';
import { requireSecondFactor } from './sign-in/mandatory-second-factor.ts';
import type { SignedIn } from './sign-in/sessions.ts';

/** Dependencies of the steps. */
export interface ConsolePipelineParts extends ConsoleParts, HandlerParts {
  readonly lists: ListQueue;
  readonly largeBodies: LargeBodies;
  readonly longLists: LongLists;
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

const directoryParsers = perOperation(inputParser);
// An empty parameter counts as left out: the page sends empty texts until somebody searches.
const ownParsers = perConsoleOperation((operation) => inputParser(operation, () => true));
const presentBatch = largeSerializer(batchUsersOfConsole);
const ownListKinds = perConsoleOperation((operation) =>
  operation === consoleOperations.listEvents ? 'audit' : listKindOf(operation),
);
const presentChangedUsers = largeSerializer({
  ...consoleOperations.changeUsers,
  bodyLimit: 'bulk',
  successMessage: '',
});
// The page words its own messages.
const ownSerializers = perConsoleOperation((operation) =>
  envelopeSerializer({ ...operation, successMessage: '' }),
);

/**
 * Takes one call of the console through every step, in this order. It differs from a signed call in its first steps: it
 * uses a session instead of the signature, a role instead of the scope, and a UUID from the page instead of the nonce.
 */
export async function runConsoleCall(call: ConsoleCall, parts: ConsolePipelineParts): Promise<ConsoleAnswer> {
  requireOwnPage(call);
  const signedIn = await requireSession(call, parts);
  if (signedIn === undefined)
    return answerCall(call, { signedIn, tenantId: undefined, claim: undefined }, parts);
  const { operator } = signedIn;
  parts.limitRate(operator.id);
  const tenantId = await requireRights(call, operator, parts);
  const claim = call.method === 'GET' ? undefined : claimChange(call, operator, parts.now());
  return answerCall(call, { signedIn, tenantId, claim }, parts);
}

function demandOf({ action }: ConsoleCall): Demand {
  if (action.kind === 'own') return action.operation;
  const operation: Operation = operations[action.key];
  return { name: operation.name, reach: 'tenant', role: roleOf(operation) };
}

/** Returns the caller's session; undefined where a visitor may call. */
async function requireSession(call: ConsoleCall, { sessions }: ConsoleParts): Promise<SignedIn | undefined> {
  if (demandOf(call).reach === 'visitor') return undefined;
  const { sessionToken } = call;
  const signedIn = sessionToken === undefined ? undefined : await sessions.find(sessionToken);
  if (signedIn !== undefined) return signedIn;
  throw noSession();
}

/** Throws unless the operator may make the call. Returns the id of its tenant, if it concerns one. */
async function requireRights(
  call: ConsoleCall,
  operator: OperatorRecord,
  { deployment, tenants }: ConsoleParts,
): Promise<bigint | undefined> {
  requireOwnChange(call, operator);
  const demand = demandOf(call);
  requireSecondFactor(demand, operator, deployment.settings.secondFactor);
  requireOperatorRole(demand, operator);
  return demand.reach === 'tenant' ? requireTenantAccess(call.tenant, operator, tenants) : undefined;
}

async function answerCall(
  call: ConsoleCall,
  caller: ConsoleCaller,
  parts: ConsolePipelineParts,
): Promise<ConsoleAnswer> {
  const operator = caller.signedIn?.operator.username;
  try {
    const carriedOut = await carryOut(call, caller, parts);
    const { cookie } = carriedOut;
    const signedInAs = typeof cookie === 'object' ? cookie.username : undefined;
    return { operator: operator ?? signedInAs, ...carriedOut };
  } catch (thrown) {
    const failure =
      thrown instanceof AlreadyAcceptedError
        ? new ApiError(1015, 'this change was already made; reload the page to see it', { cause: thrown })
        : thrown;
    throw new FailedCall(failure, { appId: operator });
  }
}

type CarriedOut = Pick<ConsoleAnswer, 'answer' | 'cookie'>;

async function carryOut(
  call: ConsoleCall,
  identified: ConsoleCaller,
  parts: ConsolePipelineParts,
): Promise<CarriedOut> {
  const { action } = call;
  const operation: OperationInput = action.kind === 'own' ? action.operation : operations[action.key];
  const received = call.incoming === undefined ? noBody : await call.incoming.receive();
  const arrived = call.incoming === undefined ? identified : await identifyAgain(call, identified, parts);
  const deadline = deadlineOf(operation, received.bytes.length, ownerOf(arrived, call));
  const work = async (caller: ConsoleCaller) => {
    const parse = parserOf(call);
    const input = await parse(call, parametersOf(call.query), received);
    if (action.kind === 'own') return runOwn({ call, operation: action.operation, caller }, input, parts);
    return {
      answer: await runDirectory({ call, action, caller }, input, parts),
      cookie: undefined,
    };
  };
  // Visitors must not take the room of operators.
  if (arrived.signedIn === undefined) return runUnderDeadline(deadline, () => work(arrived));
  const waiting = { call, body: received.bytes, deadline };
  return parts.largeBodies.run(waiting, async ({ hasWaited }) => {
    const caller = hasWaited ? await identifyAgain(call, arrived, parts) : arrived;
    const list = { kind: listKindOfCall(call), call, deadline };
    return parts.lists.run(list, () => runUnderDeadline(deadline, () => work(caller)));
  });
}

function ownerOf({ signedIn }: ConsoleCaller, { address }: ConsoleCall): string {
  return signedIn === undefined ? ownerOfVisitor(address) : ownerOfOperator(signedIn.operator.id);
}

function listKindOfCall({ action }: ConsoleCall): ListKind | undefined {
  return action.kind === 'own' ? ownListKinds[keyOf(action.operation)] : listKinds[action.key];
}

/** A body may take a minute to arrive or to wait, and its operator may lose the session or a right meanwhile. */
async function identifyAgain(
  call: ConsoleCall,
  identified: ConsoleCaller,
  parts: ConsolePipelineParts,
): Promise<ConsoleCaller> {
  const signedIn = await requireSession(call, parts);
  if (signedIn === undefined) return identified;
  return { ...identified, signedIn, tenantId: await requireRights(call, signedIn.operator, parts) };
}

function parserOf({ action }: ConsoleCall): InputParser {
  return action.kind === 'own' ? ownParsers[keyOf(action.operation)] : directoryParsers[action.key];
}

function operationCall(
  { requestId, disconnectSignal }: ConsoleCall,
  { key }: DirectoryAction,
): OperationCall {
  return { key, operation: operations[key], requestId, disconnectSignal };
}

interface DirectoryCall {
  readonly call: ConsoleCall;
  readonly action: DirectoryAction;
  readonly caller: ConsoleCaller;
}

/** Runs the handler that signed calls use, for the tenant in the path. */
async function runDirectory(
  { call: received, action, caller: { signedIn, tenantId, claim } }: DirectoryCall,
  input: unknown,
  parts: ConsolePipelineParts,
): Promise<Answer | LargeAnswer> {
  if (signedIn === undefined || tenantId === undefined) throw new TypeError('a directory call has no tenant');
  const call = operationCall(received, action);
  const caller = { tenantId, scope: 'manage', actor: actorOf(signedIn, received) } as const;
  const result = await runHandler({ call, caller, claim }, input, parts);
  const batch = call.key === 'batchUsers' && result ? presentBatch?.serialize(result) : undefined;
  return batch ?? presentResult(call, result, parts.longLists);
}

async function runOwn(called: OwnCall, input: unknown, parts: ConsolePipelineParts): Promise<CarriedOut> {
  const key = keyOf(called.operation);
  let cookie: CookieChange;
  const context = contextOfCall(called, parts, (change) => {
    cookie = change;
  });
  // The table of handlers is typed by operation; here the operation is only known by its key.
  const handler = consoleHandlers[key] as ConsoleHandler<ConsoleOperation>;
  const data = (await handler(input as never, context as never)) as object | undefined;
  const users = key === 'changeUsers' && data ? presentChangedUsers?.serialize(data) : undefined;
  const answer = users ?? encodeLargeAnswer({ body: ownSerializers[key](data), etag: undefined });
  return { answer: await answer, cookie };
}

function parametersOf(query: string): QueryParameter[] {
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
