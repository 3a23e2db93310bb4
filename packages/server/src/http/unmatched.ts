import { operations } from '@fieldroster/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';
import { ApiError } from '../errors/api-error.ts';
import { toFailure } from '../pipeline/failures/to-failure.ts';
import { afterBody, failureEnvelope } from './answers/send-answer.ts';
import { usualBodyLimit } from './body/body-limits.ts';
import type { BodyParts } from './body/request-body.ts';
import { KnownPaths, routedPath } from './known-paths.ts';
import type { RequestLog } from './log/request-log.ts';
import { pathOf } from './parsing/origin-form.ts';
import { receive } from './receive.ts';

type HttpSettings = Pick<Settings, 'basePath' | 'httpStatus' | 'bodyBytesMax'>;

interface Parts {
  readonly settings: HttpSettings;
  readonly log: RequestLog;
  /** The service of the listener; messages name it. */
  readonly serves: 'operations' | 'console';
}

interface FallbackParts extends Parts {
  readonly bodies: BodyParts;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Answers requests that no operation takes: unknown paths, wrong methods, and requests that cannot be read. */
export function addFallbacks(app: FastifyInstance, parts: FallbackParts): void {
  const { settings, serves } = parts;
  const known = KnownPaths.of(app);
  const operationPaths = serves === 'operations' ? operationPathsBelow(settings.basePath) : [];
  const refuseUnmatched = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.raw.url ?? '');
    const routed = routedPath(path);
    const methods = await known.methodsAt(routed, request.method);
    if (methods.length > 0) reply.header('Allow', methods.join(', '));
    const failure =
      methods.length === 0
        ? noOperation(path, parts, hintFor(path, operationPaths, settings.basePath))
        : wrongMethod(request.method, methods, routed.slice(settings.basePath.length));
    refuse(request, reply, await failureAfterBody(request, reply, failure, parts), parts);
    return reply;
  };
  app.setNotFoundHandler(refuseUnmatched);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (isUnwanted(error, request)) {
      reply.hijack();
      return;
    }
    // Fastify demands a content type for a QUERY before it checks whether the path exists.
    if (request.is404 && error.code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')
      return refuseUnmatched(request, reply);
    const thrown = isBadRequest(error) ? badRequest(error) : error;
    return refuse(request, reply, toFailure(thrown, request.id, parts.now()), parts);
  });
}

/** Answers a URL that cannot be decoded; it names no operation. */
export function refuseBadUrl(request: FastifyRequest, reply: FastifyReply, parts: Parts): void {
  refuse(request, reply, noOperation(pathOf(request.raw.url ?? ''), parts), parts);
}

/** Reads and discards the body, so that its sender gets to read the answer. */
async function failureAfterBody(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: ApiError,
  { settings, bodies, now }: FallbackParts,
): Promise<ApiError> {
  const { body } = receive(request, reply, { limit: usualBodyLimit(settings), bodies });
  if (body === undefined) return failure;
  const thrown = await afterBody(body, failure);
  if (body.wasCut) reply.header('Connection', 'close');
  return toFailure(thrown, request.id, now());
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: ApiError,
  { settings, log }: Parts,
): void {
  log.refusal(request, failure);
  reply.send(failureEnvelope(reply, failure, settings.httpStatus));
}

function operationPathsBelow(basePath: string): string[] {
  return [...new Set(Object.values(operations).map(({ path }) => basePath + path))];
}

const pathCharactersShown = 200;

/** Says what the caller probably meant; empty if nothing is close. */
function hintFor(path: string, known: readonly string[], basePath: string): string {
  const similar = similarPath(path, known, basePath);
  if (similar !== undefined) return `; did you mean ${JSON.stringify(similar)}?`;
  // As in other REST interfaces: /users/82, /store/N-001.
  const last = path.lastIndexOf('/');
  const isEntry = known.includes(path.slice(0, last)) && hasDigit(path.slice(last));
  return isEntry ? '; ids and codes go in the query or the body, not in the path' : '';
}

/**
 * Returns the path of an operation that the caller wrote with other slashes, in another case, without the base path,
 * or below another path.
 */
function similarPath(path: string, known: readonly string[], basePath: string): string | undefined {
  // The console has pages of the same names.
  if (path.startsWith('/console/')) return undefined;
  const bare = `/${path.split('/').filter(Boolean).join('/')}`;
  const written = [bare, basePath + bare].map((each) => each.toLowerCase());
  const complete = known.find((each) => written.includes(each.toLowerCase()));
  if (complete !== undefined) return complete;
  const isMeant = (each: string) => bare.endsWith(each) && !known.includes(bare.slice(0, -each.length));
  return known.filter(isMeant).sort((a, b) => b.length - a.length)[0];
}

function hasDigit(text: string): boolean {
  return [...text].some((character) => character >= '0' && character <= '9');
}

function noOperation(path: string, { settings: { basePath }, serves }: Parts, hint = ''): ApiError {
  const shown = path.length > pathCharactersShown ? `${path.slice(0, pathCharactersShown)}…` : path;
  if (serves === 'console') {
    const message = `there is nothing at ${JSON.stringify(shown)}: this port serves the console only, at /console/`;
    return new ApiError(1005, message);
  }
  const isBelow = path.startsWith(`${basePath}/`);
  const below = basePath === '' || isBelow ? '' : `; operations are below ${basePath}`;
  return new ApiError(1005, `there is no operation at ${JSON.stringify(shown)}${hint || below}`);
}

/** Where to find what callers seek at a path with a method that the path does not support. */
const elsewhere = new Map([
  ['POST /users', 'POST /user creates one user, POST /users/batch many'],
  ['GET /user/org', 'GET /user returns the organization of a user'],
  ['GET /user/stores', 'GET /user/store returns the stores of a user'],
  ['GET /user/status', 'GET /users returns the status of each user'],
]);

/** @param path without the base path */
function wrongMethod(method: string, methods: readonly string[], path: string): ApiError {
  const hint = elsewhere.get(`${method} ${path}`);
  return new ApiError(
    1006,
    `this path does not support ${method}; it supports ${methods.join(', ')}${hint === undefined ? '' : `; ${hint}`}`,
  );
}

/** Returns whether an answer was not sent to its end because the caller has disconnected. */
function isUnwanted(error: FastifyError, { raw }: FastifyRequest): boolean {
  return error.code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;
}

/** Returns whether this is Fastify's own complaint about a request, which carries a 4xx status. */
function isBadRequest(error: FastifyError): boolean {
  return !(error instanceof ApiError) && error.statusCode !== undefined && error.statusCode < 500;
}

function badRequest(error: FastifyError): ApiError {
  return new ApiError(1001, `the request cannot be read: ${error.message}`, { cause: error });
}
