import fastifyCookie from '@fastify/cookie';
import { type Operation, operations } from '@fieldroster/contract';
import {
  type ConsoleOperation,
  consoleLimits,
  consoleOperations,
  directoryOperationKeys,
  tenantPath,
} from '@fieldroster/contract/console';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Settings } from '../../config.ts';
import type { ConsoleCall, CookieChange } from '../../console/console-call.ts';
import type { ConsoleAnswer } from '../../console/run-console-call.ts';
import { FailedCall } from '../../pipeline/failures/failed-call.ts';
import { toFailure } from '../../pipeline/failures/to-failure.ts';
import { afterBody, failureEnvelope, sendAnswer } from '../answers/send-answer.ts';
import { type BodyLimit, operationBodyLimit, usualBodyLimit, visitorBodyLimit } from '../body/body-limits.ts';
import type { BodyParts } from '../body/request-body.ts';
import { disconnectSignal } from '../disconnect-signal.ts';
import type { Drain } from '../drain.ts';
import type { RequestLog } from '../log/request-log.ts';
import { type Received, receive } from '../receive.ts';
import type { RunningCalls } from '../running-calls.ts';

/** Runs a call of the console through its pipeline. */
export type RunConsoleCall = (call: ConsoleCall) => Promise<ConsoleAnswer>;

export interface ConsoleRouteParts {
  readonly run: RunConsoleCall;
  readonly running: RunningCalls;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly settings: Pick<Settings, 'publicUrl' | 'bodyBytesMax' | 'batchBodyBytesMax'>;
  readonly drain: Drain;
  readonly log: RequestLog;
  readonly bodies: BodyParts;
}

export const consolePath = '/console';

interface SessionCookie {
  readonly name: string;
  readonly path: string;
  readonly secure: boolean;
}

const plainCookie: SessionCookie = { name: 'fieldroster_session', path: consolePath, secure: false };

/** Browsers accept the prefix only from this host itself, over TLS, and for every path: no other host can plant it. */
const secureCookie: SessionCookie = { name: '__Host-fieldroster_session', path: '/', secure: true };

/** Returns the cookie of a session, by the origin at which browsers reach the console. */
function cookieAt(ownOrigin: string): SessionCookie {
  return ownOrigin.startsWith('https:') ? secureCookie : plainCookie;
}

/** Adds a route for every operation of the console, below `/console/api`. */
export function addConsoleRoutes(app: FastifyInstance, parts: ConsoleRouteParts): void {
  // These routes have their own scope, so that signed requests do not pay for the cookies.
  app.register(async (scope) => {
    await scope.register(fastifyCookie);
    for (const operation of Object.values<ConsoleOperation>(consoleOperations)) {
      const { method, path, reach } = operation;
      const limit = reach === 'visitor' ? visitorBodyLimit(parts.settings) : usualBodyLimit(parts.settings);
      addRoute(scope, { method, path, action: { kind: 'own', operation }, limit }, parts);
    }
    for (const key of directoryOperationKeys) {
      const { method, path }: Operation = operations[key];
      const limit = operationBodyLimit(operations[key], parts.settings);
      const action = { kind: 'directory', key } as const;
      addRoute(scope, { method, path: tenantPath + path, action, limit }, parts);
    }
  });
}

interface ConsoleRoute extends Pick<ConsoleOperation, 'method' | 'path'>, Pick<ConsoleCall, 'action'> {
  readonly limit: BodyLimit;
}

function addRoute(
  app: FastifyInstance,
  { method, path, action, limit }: ConsoleRoute,
  parts: ConsoleRouteParts,
): void {
  app.route({
    method,
    url: `${consolePath}/api${path}`,
    handler(request, reply) {
      const received = receive(request, reply, { limit, bodies: parts.bodies });
      return answerCall(toCall(action, received, parts), received, parts);
    },
  });
}

function toCall(
  action: ConsoleCall['action'],
  { request, reply, body }: Received,
  { settings }: ConsoleRouteParts,
): ConsoleCall {
  const { headers, url = '' } = request.raw;
  const { tenant } = request.params as { tenant?: string };
  const question = url.indexOf('?');
  const ownOrigin = settings.publicUrl === '' ? `${request.protocol}://${request.host}` : settings.publicUrl;
  return {
    action,
    requestId: request.id,
    method: request.method,
    query: question === -1 ? '' : url.slice(question + 1),
    tenant,
    sessionToken: request.cookies[cookieAt(ownOrigin).name],
    address: request.clientAddress,
    userAgent: headers['user-agent'],
    origin: headers.origin,
    ownOrigin,
    consoleHeader: headers['x-fieldroster-console']?.toString(),
    operatorId: headers['operator-id']?.toString(),
    changeId: headers['change-id']?.toString(),
    contentType: request.receivedContentType,
    contentEncoding: headers['content-encoding'],
    disconnectSignal: disconnectSignal(reply.raw),
    ...(body !== undefined && { incoming: body }),
  };
}

async function answerCall(
  call: ConsoleCall,
  { request, reply, body }: Received,
  { run, running, now, drain, log }: ConsoleRouteParts,
) {
  running.begin();
  try {
    const { answer, cookie, operator } = await run(call);
    drain.announce(reply);
    setCookie(reply, cookie, cookieAt(call.ownOrigin));
    log.console(call.action, request, { code: 0, operator });
    return sendAnswer(answer, reply, { running, log });
  } catch (thrown) {
    const { cause, caller } = FailedCall.of(thrown);
    const refusal = body === undefined ? cause : await afterBody(body, cause);
    const failure = toFailure(refusal, call.requestId, now());
    drain.announce(reply);
    if (body?.wasCut === true) reply.header('Connection', 'close');
    const { appId: operator, usernameHash } = caller;
    log.console(call.action, request, { code: failure.code, operator, usernameHash, failure });
    // A refusal leaves the cookie alone, even that of a session that has ended: by the time the answer arrives, the browser
    // may have the cookie of a new session under the same name.
    const { problem } = failure;
    return { ...failureEnvelope(reply, failure, 'standard'), ...(problem !== undefined && { problem }) };
  } finally {
    body?.release();
    running.end();
  }
}

function setCookie(reply: FastifyReply, change: CookieChange, { name, path, secure }: SessionCookie): void {
  if (change === undefined) return;
  const options = { path, httpOnly: true, sameSite: 'strict', secure } as const;
  if (change === 'clear') reply.clearCookie(name, options);
  else reply.setCookie(name, change.token, { ...options, maxAge: consoleLimits.sessionSecondsMax });
}
