import type { Readable } from 'node:stream';
import { type Operation, type OperationKey, operations } from '@fieldroster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';
import type { ApiError } from '../errors/api-error.ts';
import { TooManyWaitError } from '../errors/busy-error.ts';
import type { TarPit } from '../fairness/tar-pit.ts';
import type { Call } from '../pipeline/call.ts';
import { FailedCall } from '../pipeline/failures/failed-call.ts';
import { toFailure } from '../pipeline/failures/to-failure.ts';
import type { AnsweredCall } from '../pipeline/steps/present-answer.ts';
import { noteOnSpan, type SpanAttributes, type TracedRequest, traceRequest } from '../tracing/trace.ts';
import { type Envelope, envelopeSchema } from './answers/envelope.ts';
import { afterBody, failureEnvelope, sendAnswer } from './answers/send-answer.ts';
import { operationBodyLimit } from './body/body-limits.ts';
import type { BodyParts } from './body/request-body.ts';
import { type CrossOrigin, crossOrigin } from './cross-origin.ts';
import type { Drain } from './drain.ts';
import type { Admission } from './limits/admission.ts';
import type { RefusalPace } from './limits/refusal-pace.ts';
import type { RequestLog } from './log/request-log.ts';
import { type Received, receive } from './receive.ts';
import { receivedCall } from './received-call.ts';
import type { RunningCalls } from './running-calls.ts';

/** Runs a call through the pipeline. */
export type RunCall = (call: Call) => Promise<AnsweredCall>;

type HttpSettings = Pick<
  Settings,
  'basePath' | 'httpStatus' | 'bodyBytesMax' | 'batchBodyBytesMax' | 'corsOrigin'
>;

export interface RouteParts {
  readonly run: RunCall;
  readonly running: RunningCalls;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly settings: HttpSettings;
  readonly drain: Drain;
  readonly log: RequestLog;
  readonly bodies: BodyParts;
  readonly admission: Admission;
  readonly tarPit: TarPit;
  readonly refusalPace: RefusalPace;
}

/**
 * How long a verified call waits for its refusal, if too many calls of its application wait.
 * Clients that ignore `Retry-After` send the next request as soon as they have an answer,
 * and refusing them would take much of the event loop.
 */
const refusalDelayMs = 50;

/** Adds a route for every operation of the contract. */
export function addOperationRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { settings } = parts;
  const forPages = crossOrigin(settings);
  for (const key of Object.keys(operations) as OperationKey[]) {
    const operation: Operation = operations[key];
    const limit = operationBodyLimit(operation, settings);
    app.route({
      method: operation.method,
      url: settings.basePath + operation.path,
      schema: { response: { default: envelopeSchema } },
      ...(forPages && { onRequest: forPages.onRequest }),
      handler(request, reply) {
        const received = receive(request, reply, { limit, bodies: parts.bodies });
        const call = receivedCall(key, operation, received);
        return traceRequest(
          () => tracedRequest(call, request),
          () => answerCall(call, received, parts),
        );
      },
    });
  }
  if (forPages !== undefined) addPreflights(app, forPages, settings);
}

/**
 * Adds a route for the preflights of each path. An OPTIONS request that is not a preflight remains an unsupported
 * method.
 */
function addPreflights(
  app: FastifyInstance,
  { answerPreflight }: CrossOrigin,
  { basePath }: HttpSettings,
): void {
  for (const [path, entries] of Map.groupBy(Object.values<Operation>(operations), ({ path }) => path)) {
    const methods = entries.map(({ method }) => method);
    app.options(basePath + path, { onRequest: answerPreflight(methods) }, (_request, reply) =>
      reply.callNotFound(),
    );
  }
}

async function answerCall(
  call: Call,
  received: Received,
  parts: RouteParts,
): Promise<Envelope | string | Readable> {
  const { request, reply, body } = received;
  const { running, log } = parts;
  running.begin();
  try {
    const { appId, answer } = await parts.run(call);
    parts.drain.announce(reply);
    log.success(call, appId, request);
    noteOnSpan({ 'fieldroster.app_id': appId, 'fieldroster.code': 0, ...statusAttribute(reply) });
    return sendAnswer(answer, reply, { running, log });
  } catch (thrown) {
    return await answerFailure(thrown, call, received, parts);
  } finally {
    body?.release();
    running.end();
  }
}

async function answerFailure(
  thrown: unknown,
  call: Call,
  { request, reply, body }: Received,
  { now, settings, drain, log, admission, tarPit, refusalPace }: RouteParts,
): Promise<Envelope> {
  const { cause, caller } = FailedCall.of(thrown);
  const refusal = body === undefined ? cause : await afterBody(body, cause);
  const failure = toFailure(refusal, call.requestId, now());
  log.failure(call, caller, request, failure);
  if (failure.code === 1503 && caller.application === 'verified') {
    admission.noteBusy();
    if (cause instanceof TooManyWaitError) {
      if (refusalPace.heldCount === 0) await tarPit.hold(refusalDelayMs, call.disconnectSignal());
      await new Promise<void>((resolve) => refusalPace.send(request.raw.socket, resolve));
    }
  }
  drain.announce(reply);
  if (body?.wasCut === true) reply.header('Connection', 'close');
  const envelope = failureEnvelope(reply, failure, settings.httpStatus);
  noteOnSpan({ 'fieldroster.code': failure.code, ...statusAttribute(reply) }, isServerError(failure));
  return envelope;
}

/** Describes a request for its span: the path of the operation, but no query, which may hold personal data. */
function tracedRequest({ operation, requestId }: Call, { headers }: FastifyRequest): TracedRequest {
  const { method, path } = operation;
  return {
    name: `${method} ${path}`,
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'fieldroster.operation': operation.name,
      'fieldroster.request_id': requestId,
    },
    headers,
  };
}

function statusAttribute({ statusCode }: FastifyReply): SpanAttributes {
  return { 'http.response.status_code': statusCode };
}

/** Returns whether the failure is the server's, judged by its code because the status depends on a setting. */
function isServerError({ code }: ApiError): boolean {
  return code === 1500 || code === 1503;
}
