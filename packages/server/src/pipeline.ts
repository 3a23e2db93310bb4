import { ApiError } from './errors/api-error.ts';
import { type Call, type IncomingBody, noBody, type ReceivedBody } from './pipeline/call.ts';
import { deadlineOf } from './pipeline/call-deadline.ts';
import { FailedCall } from './pipeline/failures/failed-call.ts';
import { nameRefusedUser } from './pipeline/failures/name-refused-user.ts';
import { perOperation } from './pipeline/per-operation.ts';
import type { AnswerCache } from './pipeline/steps/answer-cache.ts';
import { type ClaimParts, claimOfWrite, claimRead } from './pipeline/steps/claim-once.ts';
import type { HandlerCaller, HandlerParts } from './pipeline/steps/handler-context.ts';
import { inputParser } from './pipeline/steps/input/parse-input.ts';
import type { BodyTurn, LargeBodies } from './pipeline/steps/large-bodies.ts';
import { type ListQueue, listKinds } from './pipeline/steps/list-queue.ts';
import type { LongLists } from './pipeline/steps/long-lists.ts';
import type { Answer, AnsweredCall, LargeAnswer } from './pipeline/steps/present-answer.ts';
import { presentResult } from './pipeline/steps/present-result.ts';
import { refuseExcessWrite } from './pipeline/steps/refuse-excess-write.ts';
import { refuseRepeatedHeaders } from './pipeline/steps/refuse-repeated-headers.ts';
import { requireAllowedAddress } from './pipeline/steps/require-allowed-address.ts';
import { requireLiveApplication } from './pipeline/steps/require-live-application.ts';
import { requireScope } from './pipeline/steps/require-scope.ts';
import { runHandler } from './pipeline/steps/run-handler.ts';
import {
  type Caller,
  type SignatureParts,
  verifyHeaders,
  verifySignature,
} from './pipeline/steps/verify-signature.ts';
import type { RateLimits } from './rates/rate-limits.ts';
import { type Deadline, runUnderDeadline } from './time/deadline.ts';
import { withinMs } from './time/within-ms.ts';
import { inSpan } from './tracing/trace.ts';

/** Dependencies of the steps. */
export interface PipelineParts extends ClaimParts, HandlerParts, SignatureParts {
  readonly rateLimits: RateLimits;
  readonly answers: AnswerCache;
  readonly lists: ListQueue;
  readonly largeBodies: LargeBodies;
  readonly longLists: LongLists;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const inputParsers = perOperation(inputParser);

/** How long a request waits for those before it on its connection, for example if its client does not read the answers. */
const earlierMsMax = 60_000;

/**
 * Takes one request through every step, in this order, and returns its answer. The first step that throws ends the
 * request. No part of a body is parsed before its signature is verified. When a verified caller is refused, a small
 * body is parsed to name the user in the log.
 *
 * @throws {FailedCall} with what the steps had found out about the caller
 */
export async function runPipeline(call: Call, parts: PipelineParts): Promise<AnsweredCall> {
  identify(call, parts, () => refuseRepeatedHeaders(call));
  const body = call.incoming === undefined ? noBody : await receiveBody(call, call.incoming, parts);
  const nowMs = parts.now();
  const caller = identify(call, parts, () => verifySignature(call, body, parts, { arrivedAtMs: nowMs }));
  const { application } = caller;
  const { appId } = application;
  try {
    return { appId, answer: await answerCaller({ call, caller, body, nowMs }, parts) };
  } catch (thrown) {
    const refused = { call, verifiedBody: body, application };
    throw new FailedCall(nameRefusedUser(thrown, refused, parts.guesses), { appId, application: 'verified' });
  }
}

/** Runs a check of the caller. A refusal also names the intended user, if the query does. */
function identify<T>(call: Call, { applications, guesses }: PipelineParts, check: () => T): T {
  try {
    return check();
  } catch (thrown) {
    const application = applications.find(FailedCall.of(thrown).caller.appId ?? '');
    throw nameRefusedUser(thrown, { call, application }, guesses);
  }
}

/** Receives the body once the headers are accepted; the body of a refused request is never kept. */
async function receiveBody(call: Call, incoming: IncomingBody, parts: PipelineParts): Promise<ReceivedBody> {
  const appId = identify(call, parts, () => verifyHeaders(call, parts, parts.now()));
  try {
    return await inSpan('receive body', {}, () => incoming.receive());
  } catch (thrown) {
    throw new FailedCall(thrown, { appId, application: 'named' });
  }
}

/** A call whose sender is verified, and when that was. */
interface VerifiedCall {
  readonly call: Call;
  readonly caller: Caller;
  readonly body: ReceivedBody;
  readonly nowMs: number;
}

async function answerCaller(verified: VerifiedCall, parts: PipelineParts): Promise<Answer | LargeAnswer> {
  requireAllowed(verified);
  const { call, body } = verified;
  parts.rateLimits.count(verified.caller.application, verified.nowMs);
  const { earlierAnswered } = call;
  const current = earlierAnswered === undefined ? verified : await inTurn(verified, earlierAnswered, parts);
  const deadline = deadlineOf(call.operation, body.bytes.length, current.caller.application.appId);
  // The cached answer of a target knows nothing about values in a body, which are refused.
  const lookup =
    body.bytes.length === 0 ? await parts.answers.find(call, current.caller, deadline) : undefined;
  if (lookup?.answer !== undefined) return lookup.answer;
  const answer = await answerInQueue(current, deadline, parts);
  if (lookup !== undefined && 'body' in answer) parts.answers.keep(lookup, answer);
  return answer;
}

/** Answers from the database once it is the turn of a large body or a list. */
function answerInQueue(
  verified: VerifiedCall,
  deadline: Deadline,
  parts: PipelineParts,
): Promise<Answer | LargeAnswer> {
  const { call, caller, body } = verified;
  refuseExcessWrite(call.operation, caller.application, deadline, parts.database);
  return parts.largeBodies.run({ call, body: body.bytes, deadline }, (turn) => {
    const begun = turn.hasWaited ? checkAgain(verified, parts) : verified;
    // Enter the context only here: that takes longer than everything else for a cached answer.
    const list = { kind: listKinds[call.key], call, deadline };
    return parts.lists.run(list, () => runUnderDeadline(deadline, () => carryOut(begun, turn, parts)));
  });
}

/** Throws unless the application may make the call, as it is known now. */
function requireAllowed({ call, caller: { application }, nowMs }: VerifiedCall): void {
  requireLiveApplication(application, nowMs);
  requireAllowedAddress(call, application);
  requireScope(call.operation, application);
}

/** Returns the call once it is its turn on its connection. */
async function inTurn(
  verified: VerifiedCall,
  earlierAnswered: Promise<void>,
  parts: PipelineParts,
): Promise<VerifiedCall> {
  await waitForEarlier(earlierAnswered);
  return checkAgain(verified, parts);
}

/**
 * Checks a call that has waited for long enough that an operator may have ended its secret, suspended or revoked its
 * application, or changed what that may do. Its timestamp must only have been right when it arrived.
 */
function checkAgain(verified: VerifiedCall, parts: PipelineParts): VerifiedCall {
  const { call, body, nowMs } = verified;
  const laterMs = parts.now();
  const caller = verifySignature(call, body, parts, { arrivedAtMs: nowMs, secretsAtMs: laterMs });
  requireAllowed({ ...verified, caller, nowMs: laterMs });
  return { ...verified, caller };
}

/**
 * Waits until the requests before it on its connection are answered.
 *
 * @throws {ApiError} 1503 when the connection ends first, or the wait takes longer than {@link earlierMsMax}
 */
function waitForEarlier(answered: Promise<void>): Promise<void> {
  return inSpan('wait for earlier requests', {}, () =>
    withinMs(answered, earlierMsMax, () => {
      throw new ApiError(
        1503,
        `this request was not begun, because those before it on its connection took longer than ${earlierMsMax / 1000} s; send it again`,
        { retryAfterSeconds: 1 },
      );
    }),
  );
}

/** Answers from the database. */
async function carryOut(
  { call, caller, body }: VerifiedCall,
  turn: BodyTurn,
  parts: PipelineParts,
): Promise<Answer | LargeAnswer> {
  const parsed = inputParsers[call.key](call, caller.parameters, body);
  // Only a large body is parsed in slices; awaiting the others would cost every request a microtask.
  const input = parsed instanceof Promise ? await parsed : parsed;
  if (call.operation.bodyLimit === undefined) turn.giveBack();
  await claimRead(call, caller, parts);
  const claim = claimOfWrite(call, caller, parts);
  const result = await runHandler({ call, caller: handlerCaller(caller), claim }, input, parts);
  return presentResult(call, result, parts.longLists);
}

function handlerCaller({ application }: Caller): HandlerCaller {
  const { tenantId, scope, appId } = application;
  return { tenantId, scope, appId };
}
