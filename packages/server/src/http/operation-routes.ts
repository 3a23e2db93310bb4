import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { limits, type Operation, type OperationKey, operations } from '@fieldroster/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../api-error.ts';
import type { Settings } from '../config.ts';
import { TooManyWaitError } from '../database/database.ts';
import type { TarPit } from '../fairness/tar-pit.ts';
import type { Call } from '../pipeline/call.ts';
import { FailedCall } from '../pipeline/failed-call.ts';
import type { Answer, AnsweredCall, LargeAnswer } from '../pipeline/present-answer.ts';
import { toFailure } from '../pipeline/to-failure.ts';
import { noteOnSpan, type SpanAttributes, type TracedRequest, traceRequest } from '../tracing/trace.ts';
import type { Admission } from './admission.ts';
import { type BodyParts, RequestBody } from './body/request-body.ts';
import { type CrossOrigin, crossOrigin } from './cross-origin.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import type { Drain } from './drain.ts';
import { type Envelope, envelopeSchema, statusOf } from './envelope.ts';
import { originForm } from './origin-form.ts';
import type { RequestLog } from './request-log.ts';
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
  readonly refusals: TarPit;
}

/**
 * How long a verified call waits for its refusal, if too many calls of its application wait. Clients that ignore
 * `Retry-After` send the next request as soon as they have an answer, and refusing them would take much of the event loop.
 */
const refusalDelayMs = 50;

/** Leaves every body unread until a handler asks for it. */
export function passBodiesOn(app: FastifyInstance): void {
  app.decorateRequest('receivedContentType', undefined);
  // The signature covers the body of every method, so a GET's body is read too.
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  app.removeAllContentTypeParsers();
  // Passes the stream on unread: the headers are checked before anything is read.
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage, done) =>
    done(null, payload),
  );
}

/** Adds a route for every operation of the contract. */
export function addOperationRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { settings } = parts;
  const forPages = crossOrigin(settings);
  for (const key of Object.keys(operations) as OperationKey[]) {
    const operation: Operation = operations[key];
    const bytesMax = operationBodyBytesMax(operation, settings);
    app.route({
      method: operation.method,
      url: settings.basePath + operation.path,
      schema: { response: { default: envelopeSchema } },
      ...(forPages && { onRequest: forPages.onRequest }),
      handler(request, reply) {
        const payload = request.body as IncomingMessage | undefined;
        const body = payload && new RequestBody(payload, bytesMax, parts.bodies, request.clientAddress);
        const call = toCall(key, operation, request, reply, body);
        return traceRequest(
          () => tracedRequest(call, request),
          () => answerCall(call, body, request, reply, parts),
        );
      },
    });
  }
  if (forPages !== undefined) addPreflights(app, forPages, settings);
}

/** Adds a route for the preflights of each path. Those that it does not answer are unsupported methods, as without it. */
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

/** Returns the size of the largest body that any operation accepts, in bytes. */
export function largestBodyBytes(settings: Pick<Settings, 'bodyBytesMax' | 'batchBodyBytesMax'>): number {
  return Math.max(
    ...Object.values(operations).map((operation) => operationBodyBytesMax(operation, settings)),
  );
}

/** Returns the size of the largest body that an operation accepts, in bytes. */
export function operationBodyBytesMax(
  { bodyLimit }: Operation,
  settings: Pick<Settings, 'bodyBytesMax' | 'batchBodyBytesMax'>,
): number {
  if (bodyLimit === 'bulk') return Math.max(limits.bulkBodyBytesMax, settings.batchBodyBytesMax);
  return bodyLimit === 'batch' ? settings.batchBodyBytesMax : settings.bodyBytesMax;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type header as received. */
    receivedContentType: string | undefined;
  }
}

/**
 * Hides the Content-Type header from Fastify, which refuses an unsupported one before anything else. Here the signature
 * is checked first, and a GET with a content type and no body is accepted. Call it before the body is read.
 */
export function keepContentTypeAside(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (headers['content-type'] === undefined) return;
  request.receivedContentType = headers['content-type'];
  delete headers['content-type'];
}

function toCall(
  key: OperationKey,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  body: RequestBody | undefined,
): Call {
  const { headers, url } = request.raw;
  return {
    key,
    operation,
    requestId: request.id,
    method: operation.method,
    target: originForm(url ?? ''),
    host: headers.host,
    address: request.clientAddress,
    authorization: decodeHeader(headers.authorization),
    timestamp: decodeHeader(headers.timestamp),
    nonce: decodeHeader(headers.nonce),
    contentType: request.receivedContentType,
    contentEncoding: headers['content-encoding'],
    disconnectSignal: disconnectSignal(reply.raw),
    ...(body !== undefined && { incoming: body }),
  };
}

const beyondAscii = /[\u0080-\u00ff]/;

/** Decodes a header as UTF-8, as clients sign it; Node.js decodes it as Latin-1. */
function decodeHeader(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  const latin1 = String(value);
  return beyondAscii.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
}

async function answerCall(
  call: Call,
  incoming: RequestBody | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  { run, running, now, settings, drain, log, admission, refusals }: RouteParts,
): Promise<Envelope | string | Readable> {
  running.begin();
  try {
    const { appId, answer } = await run(call);
    drain.announce(reply);
    log.success(call, appId, request);
    noteOnSpan({ 'fieldroster.app_id': appId, 'fieldroster.code': 0, ...statusAttribute(reply) });
    return sendAnswer(answer, reply);
  } catch (thrown) {
    const { cause, caller } = FailedCall.of(thrown);
    const refusal = incoming === undefined ? cause : await afterBody(incoming, cause);
    const failure = toFailure(refusal, call.requestId, now());
    if (failure.code === 1503 && caller.application === 'verified') {
      admission.noteBusy();
      if (cause instanceof TooManyWaitError) await refusals.hold(refusalDelayMs, call.disconnectSignal());
    }
    drain.announce(reply);
    if (incoming?.wasCut === true) reply.header('Connection', 'close');
    log.failure(call, caller, request, failure);
    const envelope = failureEnvelope(reply, failure, settings.httpStatus);
    noteOnSpan({ 'fieldroster.code': failure.code, ...statusAttribute(reply) }, isServerError(failure));
    return envelope;
  } finally {
    incoming?.release();
    running.end();
  }
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

/** Sets the headers of a successful answer, and returns its body. */
export function sendAnswer(answer: Answer | LargeAnswer, reply: FastifyReply): string | Readable {
  reply.header('Content-Type', 'application/json; charset=utf-8');
  if (!('body' in answer)) return sendPieces(answer, reply);
  if (answer.etag !== undefined) reply.header('ETag', answer.etag);
  return answer.body;
}

/** Streams the pieces; joining them would copy a large answer as a whole. */
function sendPieces(pieces: LargeAnswer, reply: FastifyReply): Readable {
  reply.header(
    'Content-Length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  return Readable.from(pieces);
}

/** Reads the rest of the body. That it is too large takes precedence over any earlier refusal. */
export async function afterBody(incoming: RequestBody, thrown: unknown): Promise<unknown> {
  try {
    await incoming.drain();
    return thrown;
  } catch (tooLarge) {
    return tooLarge;
  }
}

/** Sets the status and headers of a failure, and returns its envelope. */
export function failureEnvelope(
  reply: FastifyReply,
  failure: ApiError,
  mode: Settings['httpStatus'],
): Envelope {
  reply.code(statusOf(failure, mode));
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
  return { code: failure.code, message: failure.message };
}
