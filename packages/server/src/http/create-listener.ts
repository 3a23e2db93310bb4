import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { CallRecorder } from '../call-records/call-recorder.ts';
import type { Settings } from '../config.ts';
import type { Logger } from '../logging/logger.ts';
import type { Readiness } from '../readiness/readiness.ts';
import { ResponseWithFixedHeaders, setRequestId } from './answers/fixed-headers.ts';
import { ArrivalWatch } from './body/arrival-watch.ts';
import { BodyBudget } from './body/body-budget.ts';
import { largestBodyBytes } from './body/body-limits.ts';
import { bodyMemoryOf, readProcessMemory } from './body/body-memory.ts';
import { delayContinue } from './body/expect-continue.ts';
import type { BodyParts } from './body/request-body.ts';
import { hideContentType, passBodiesOn } from './body/unread-bodies.ts';
import { clientAddress, proxiesToTrust } from './client-address.ts';
import { addConsoleFiles } from './console/console-files.ts';
import { addConsoleRoutes, consolePath, type RunConsoleCall } from './console/console-routes.ts';
import { createDrain, type Drain } from './drain.ts';
import { addHealthRoutes } from './health.ts';
import { keepWriteOrder } from './keep-write-order.ts';
import { acceptBetweenRequests } from './limits/accept-between-requests.ts';
import { type Admission, createAdmission } from './limits/admission.ts';
import { ConnectionLimit } from './limits/connection-limit.ts';
import { limitUnanswered, queuedMax } from './limits/limit-unanswered.ts';
import { RareWarning } from './limits/rare-warning.ts';
import type { RefusalPace } from './limits/refusal-pace.ts';
import { refuseAtOnce } from './limits/refuse-at-once.ts';
import { shareConnections } from './limits/share-connections.ts';
import { UnreadAnswers } from './limits/unread-answers.ts';
import { WaitingResponses } from './limits/waiting-responses.ts';
import type { CallObserver } from './log/call-observer.ts';
import { RequestLog } from './log/request-log.ts';
import { addOperationRoutes, type RouteParts } from './operation-routes.ts';
import {
  answerClientError,
  refuseMisread,
  refuseQueued,
  refuseTunnel,
  requestTimeoutMs,
  type UnreadRefusal,
} from './parsing/client-error.ts';
import { refuseUnreadable } from './parsing/refuse-unreadable.ts';
import { addReferenceRoutes } from './reference/reference-routes.ts';
import { addFallbacks, refuseBadUrl } from './unmatched.ts';

/**
 * How much of a body may wait until its headers are looked at, in bytes. A body in chunks of one byte takes hundreds of
 * bytes of memory for each.
 */
const unreadBytesMax = 8 * 1024;

/** Longer than the idle timeout of common proxies and client pools, so that they close first. */
const keepAliveTimeoutMs = 75_000;

/** How often the rates of arriving bodies are checked, in milliseconds. */
const arrivalCheckMs = 1_000;

/** How often unread answers are checked, in milliseconds. Within a second, a flood of them could take 300 MB. */
const unreadCheckMs = 250;

interface Calls
  extends Pick<RouteParts, 'run' | 'running' | 'now' | 'admission' | 'refusals' | 'refusalPace'> {
  readonly recorder: CallRecorder;
  readonly runConsole: RunConsoleCall;
}

/** What the HTTP side works with. */
interface ListenersParts {
  readonly calls: Calls;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly observer: CallObserver | undefined;
}

type Listener = FastifyInstance & Drain;

/** The HTTP side of the server. */
export interface Listeners {
  readonly main: Listener;
  /** Where the console has a port of its own. */
  readonly console: Listener | undefined;
  readonly connectionLimit: ConnectionLimit;
}

/** Builds the HTTP side of the server, not yet listening. */
export function createListeners(
  settings: Settings,
  { calls, readiness, logger, observer }: ListenersParts,
): Listeners {
  const log = new RequestLog(logger, calls.recorder, observer);
  const { bodies, endChecks } = createBodyParts(settings);
  const warn = (fields: object, message: string) => logger.warn(fields, message);
  const connectionLimit = new ConnectionLimit(settings.connectionsMax, warn);
  const queueRefusals = new RareWarning(warn);
  const unreadClosures = new RareWarning(warn);
  const newRequestId = requestIds();
  const { refusalPace } = calls;
  const parts = {
    settings,
    log,
    bodies,
    observer,
    newRequestId,
    connectionLimit,
    queueRefusals,
    unreadClosures,
    refusalPace,
  };
  const addConsole = (app: Listener) => {
    addConsoleRoutes(app, { ...calls, ...parts, run: calls.runConsole, drain: app });
    addConsoleFiles(app);
  };
  const main = createListener('operations', { ...parts, admission: calls.admission });
  main.addHook('onClose', async () => {
    log.end();
    endChecks();
  });
  addOperationRoutes(main, { ...calls, ...parts, drain: main });
  addHealthRoutes(main, readiness, main);
  addReferenceRoutes(main, settings);
  if (!settings.console) return { main, console: undefined, connectionLimit };
  if (settings.consoleListen === '') {
    addConsole(main);
    return { main, console: undefined, connectionLimit };
  }
  // A firewall may open this port to people who must not reach the operations, so it serves only the console.
  const console = createListener('console', {
    ...parts,
    settings: { ...settings, httpStatus: 'standard' },
    admission: createAdmission(settings, logger),
  });
  console.get('/', (_request, reply) => reply.redirect(`${consolePath}/`));
  addConsole(console);
  return { main, console, connectionLimit };
}

interface ListenerParts {
  readonly settings: Settings;
  readonly log: RequestLog;
  readonly bodies: BodyParts;
  readonly newRequestId: () => string;
  readonly connectionLimit: ConnectionLimit;
  /** Reports requests that were refused because too many waited on their connection. */
  readonly queueRefusals: RareWarning;
  /** Reports connections that were closed because their clients read no answers. */
  readonly unreadClosures: RareWarning;
  /** Each listener has its own, because it follows one queue. */
  readonly admission: Admission;
  readonly refusalPace: RefusalPace;
  readonly observer: CallObserver | undefined;
}

/** Builds a listener without routes. It refuses requests that match no route added later. */
function createListener(serves: 'operations' | 'console', parts: ListenerParts): Listener {
  const { settings, log, bodies } = parts;
  const app = Fastify({
    genReqId: parts.newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Nothing here depends on the Host header. A header sent twice is joined and refused instead of half believed.
    http: {
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      ServerResponse: ResponseWithFixedHeaders,
      highWaterMark: unreadBytesMax,
    },
    trustProxy: proxiesToTrust(settings.trustProxy),
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, { server: app.server, ...refusalPartsOf(parts) }),
    frameworkErrors(_error, request, reply) {
      noteArrival(request, reply, settings);
      drain.announce(reply);
      refuseBadUrl(request, reply, { settings, log, serves });
    },
    // The signature covers the query as received, so the pipeline parses it.
    routerOptions: { querystringParser: () => ({}) },
  });
  parts.connectionLimit.applyTo(app.server);
  const drain = createDrain(app, () => parts.refusalPace.end());
  addRequestHook(app, drain, settings);
  passBodiesOn(app);
  addFallbacks(app, { settings, log, bodies, serves });
  guardConnections(app, drain, parts);
  return Object.assign(app, drain);
}

/** Returns what is needed to refuse a request before it can be read. */
function refusalPartsOf({ settings, log, newRequestId }: ListenerParts) {
  return {
    httpStatus: settings.httpStatus,
    newRequestId,
    log: (refusal: UnreadRefusal) => log.unread(refusal),
  };
}

/** Notes what is known of every request as it arrives. */
function addRequestHook(app: FastifyInstance, drain: Drain, settings: Settings): void {
  app.decorateRequest('receivedAtMs', 0);
  app.decorateRequest('clientAddress', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    noteArrival(request, reply, settings);
    drain.announce(reply);
    hideContentType(request);
    done();
  });
}

/**
 * Refuses what cannot be read, and what is too much for the process or for one connection, before it reaches a route.
 */
function guardConnections(app: FastifyInstance, drain: Drain, parts: ListenerParts): void {
  const { settings, newRequestId, queueRefusals, admission, refusalPace, observer } = parts;
  const refusalParts = refusalPartsOf(parts);
  // By default, Node.js answers an unknown expectation itself, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  delayContinue(app.server);
  app.server.on('connect', (_request, socket) => refuseTunnel(socket as Socket, refusalParts));
  acceptBetweenRequests(app, admission, (request, response) => {
    observer?.noteRefusedUnseen(1503);
    // The refusal may have to wait, and the body should not.
    request.resume();
    refusalPace.send(request.socket, () =>
      refuseAtOnce(request, response, { requestId: newRequestId(), closing: drain.isClosing() }),
    );
  });
  keepWriteOrder(app.server);
  const waiting = boundUnreadAnswers(app, parts.unreadClosures);
  limitUnanswered(app.server, waiting, (request, socket) => {
    observer?.noteRefusedUnseen(1429);
    queueRefusals.note({ address: socket.remoteAddress ?? null }, describeQueueRefusals);
    refuseQueued(request, socket, { newRequestId });
  });
  refuseUnreadable(app.server, (fault, request, socket) =>
    refuseMisread(fault, request, socket, refusalParts),
  );
  if (settings.workers > 1) shareConnections(app.server);
}

/** Closes connections that leave too much unread. Returns where the responses are noted that wait. */
function boundUnreadAnswers(app: FastifyInstance, closures: RareWarning): WaitingResponses {
  const waiting = new WaitingResponses();
  const unread = new UnreadAnswers(waiting, {
    onClosed: ({ remoteAddress = null }) => closures.note({ address: remoteAddress }, describeUnreadClosures),
  });
  unread.follow(app.server);
  const checks = setInterval(() => unread.check(), unreadCheckMs).unref();
  app.addHook('onClose', async () => clearInterval(checks));
  return waiting;
}

function describeUnreadClosures(count: number): string {
  return `${count} connections closed so far: their clients left answers unread, which took too much memory`;
}

function describeQueueRefusals(count: number): string {
  return `${count} connections closed so far with code 1429: more than ${queuedMax} requests waited on each, and their client read no answers`;
}

/** Makes the limits on the bodies that a process holds, for all its listeners together. */
function createBodyParts(settings: Settings) {
  const memory = bodyMemoryOf(readProcessMemory(), settings.workers, largestBodyBytes(settings));
  const watch = new ArrivalWatch(() => performance.now());
  const checks = setInterval(() => watch.check(), arrivalCheckMs).unref();
  const bodies: BodyParts = { budget: new BodyBudget(memory), watch };
  return { bodies, endChecks: () => clearInterval(checks) };
}

/** Notes when a request came, and from where, and gives it its id. */
function noteArrival(request: FastifyRequest, reply: FastifyReply, { trustProxy }: Settings): void {
  request.receivedAtMs = performance.now();
  request.clientAddress = clientAddress(request, trustProxy);
  setRequestId(reply.raw, request.id);
}

/**
 * Returns a generator of request ids: a random prefix makes them unique across processes, a counter keeps them cheap.
 */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
