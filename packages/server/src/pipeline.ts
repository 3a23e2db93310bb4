import { type Operation, type OperationKey, operations } from '@fieldroster/contract';
import { runUnderDeadline } from './deadline.ts';
import type { WriteContext } from './operations/handler.ts';
import { handlers } from './operations/handlers.ts';
import type { AnswerCache } from './pipeline/answer-cache.ts';
import { type Call, type IncomingBody, noBody, type ReceivedBody } from './pipeline/call.ts';
import { deadlineOf } from './pipeline/call-deadline.ts';
import { claimNonceOfRead } from './pipeline/claim-once.ts';
import { type HandlerParts, handlerContext } from './pipeline/handler-context.ts';
import type { RateLimiter } from './pipeline/limit-rate.ts';
import { type InputParser, inputParser } from './pipeline/parse-input.ts';
import {
  type Answer,
  type LargeAnswer,
  presentAnswer,
  presentLargeAnswer,
} from './pipeline/present-answer.ts';
import { requireScope } from './pipeline/require-scope.ts';
import {
  type Caller,
  type SignatureParts,
  verifyHeaders,
  verifySignature,
} from './pipeline/verify-signature.ts';

/** What the steps work with. */
export interface PipelineParts extends HandlerParts, SignatureParts {
  readonly limitRate: RateLimiter;
  readonly answers: AnswerCache;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type AnyHandler = (input: unknown, context: WriteContext<Operation>) => Promise<object | undefined>;

const inputParsers = new Map<OperationKey, InputParser>(
  (Object.keys(operations) as OperationKey[]).map((key) => [key, inputParser(operations[key])]),
);

/**
 * Takes one request through every step and returns its answer. Whatever a step throws ends the request; nothing
 * of the body is parsed before the signature and the scope are known to be good.
 */
export async function runPipeline(call: Call, parts: PipelineParts): Promise<Answer | LargeAnswer> {
  const body = call.incoming === undefined ? noBody : await receiveBody(call, call.incoming, parts);
  const deadline = deadlineOf(call.operation, body.bytes.length);
  return runUnderDeadline(deadline, () => answerCall(call, body, parts));
}

async function answerCall(
  call: Call,
  body: ReceivedBody,
  parts: PipelineParts,
): Promise<Answer | LargeAnswer> {
  const nowMs = parts.now();
  const caller = verifySignature(call, parts, nowMs, body);
  requireScope(call.operation, caller.application);
  parts.limitRate(caller.application, nowMs);
  const place = await parts.answers.find(call, caller);
  if (place?.known !== undefined) return place.known;
  const parsed = parseInput(call, caller, body);
  // Waiting for what is there already would cost every request a turn.
  const input = parsed instanceof Promise ? await parsed : parsed;
  if (call.operation.access === 'read')
    await claimNonceOfRead(caller, parts.replay, call.requestId, parts.database.claims);
  const data = await runHandler(call, caller, input, parts);
  const large = presentLargeAnswer(call.key, data);
  if (large !== undefined) return large;
  const answer = presentAnswer(call.key, data, call.revision);
  if (place !== undefined) parts.answers.keep(place, answer);
  return answer;
}

/** Nothing of a body is kept for headers that are refused whatever the body is. */
function receiveBody(call: Call, incoming: IncomingBody, parts: PipelineParts): Promise<ReceivedBody> {
  verifyHeaders(call, parts, parts.now());
  return incoming.receive();
}

function parseInput(call: Call, caller: Caller, body: ReceivedBody): unknown {
  const parse = inputParsers.get(call.key);
  if (parse === undefined) throw new TypeError(`no parser for ${call.key}`);
  return parse(call, caller.parameters, body);
}

function runHandler(
  call: Call,
  caller: Caller,
  input: unknown,
  parts: PipelineParts,
): Promise<object | undefined> {
  // The table of handlers is typed by operation; here the operation is only known by its key.
  const handler = handlers[call.key] as unknown as AnyHandler;
  return handler(input, handlerContext(call, caller, parts));
}
