import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { CallRecorder } from '../call-records/call-recorder.ts';
import type { Settings } from '../config.ts';
import type { Logger } from '../logging/logger.ts';
import type { Readiness } from '../readiness/readiness.ts';
import { addPage } from './add-page.ts';
import { ResponseWithFixedHeaders, setRequestId } from './answers/fixed-headers.ts';
import { ArrivalWatch } from './body/arrival-watch.ts';
import { BodyBudget } from './body/body-budget.ts';
import { readProcessMemory } from './body/body-memory.ts';
import type { BodyParts } from './body/request-body.ts';
import { hideContentType, passBodiesOn } from './body/unread-bodies.ts';
import {
  clientAddress,
  cutProxyChain,
  describeUnnamedProxy,
  proxiesToTrust,
  unnamedProxy,
} from './client-address.ts';
import { addConsoleFiles } from './console/console-files.ts';
import { addConsoleRoutes, consolePath, type RunConsoleCall } from './console/console-routes.ts';
import { createDrain, type Drain } from './drain.ts';
import {
  boundUnreadAnswers,
  type GuardParts,
  guardConnections,
  refusalPartsOf,
} from './guard-connections.ts';
import { addHealthRoutes } from './health.ts';
import { createAdmission } from './limits/admission.ts';
import { ChunkTurns } from './limits/chunk-turns.ts';
import { ConnectionLimit, openConnectionsOf } from './limits/connection-limit.ts';
import { listenersOf, type MemoryShares, requestBytes } from './limits/memory-shares.ts';
import { RareWarning } from './limits/rare-warning.ts';
import { headersMax } from './limits/unfinished-headers.ts';
import { WaitingBodies, waitingBodiesMaxOf } from './limits/waiting-bodies.ts';
import { WaitingResponses } from './limits/waiting-responses.ts';
import type { CallObserver } from './log/call-observer.ts';
import { RequestLog } from './log/request-log.ts';
import { addOperationRoutes, type RouteParts } from './operation-routes.ts';
import { answerClientError, requestTimeoutMs } from './parsing/client-error.ts';
import { addReferenceRoutes } from './reference/reference-routes.ts';
import { addFallbacks, refuseBadUrl } from './unmatched.ts';

/**
 * How much of a body may wait until its headers are looked at, in bytes. A body in chunks of one byte takes hundreds of
 * bytes of memory for each.
 */
const bodyBufferBytes = 8 * 1024;

/** Longer than the idle timeout of common proxies and client pools, so that they close first. */
const keepAliveTimeoutMs = 75_000;

/** How often the rates of arriving bodies are checked, in milliseconds. */
const arrivalCheckMs = 1_000;

interface Calls extends Pick<RouteParts, 'run' | 'running' | 'now' | 'admission' | 'tarPit' | 'refusalPace'> {
  readonly recorder: CallRecorder;
  readonly runConsole: RunConsoleCall;
}

/** The parts of the server that the HTTP side works with. */
interface ListenersParts {
  readonly calls: Calls;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly observer: CallObserver | undefined;
  readonly shares: MemoryShares;
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
  { calls, readiness, logger, observer, shares }: ListenersParts,
): Listeners {
  const log = new RequestLog(logger, calls.recorder, observer);
  const { bodies, endChecks } = createBodyParts(shares);
  const warn = (fields: object, message: string) => logger.warn(fields, message);
  const connectionLimit = new ConnectionLimit(warn);
  const { unread, endUnreadChecks } = boundUnreadAnswers(shares.readAnswers, new RareWarning(warn));
  const { refusalPace, now } = calls;
  const parts = {
    settings,
    now,
    log,
    bodies,
    observer,
    newRequestId: requestIds(),
    connectionLimit,
    queueRefusals: new RareWarning(warn),
    unread,
    waitingBodies: new WaitingBodies(waitingBodiesMaxOf(shares)),
    waitingResponses: new WaitingResponses(Math.floor(shares.queuedResponses / requestBytes)),
    turns: new ChunkTurns(shares.chunkTurns),
    unfinishedBytesMax: shares.unfinishedHeaders / listenersOf(settings),
    headerClosures: new RareWarning(warn),
    chunkRefusals: new RareWarning(warn),
    unnamedProxies: new RareWarning(warn),
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
    endUnreadChecks();
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
  addPage(console, '/', (_request, reply) => reply.redirect(`${consolePath}/`));
  addConsole(console);
  return { main, console, connectionLimit };
}

interface ListenerParts extends GuardParts {
  /** Warns of proxies that the settings do not name. */
  readonly unnamedProxies: RareWarning;
  readonly bodies: BodyParts;
  readonly connectionLimit: ConnectionLimit;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Builds a listener without routes. It refuses requests that match no route added later. */
function createListener(serves: 'operations' | 'console', parts: ListenerParts): Listener {
  const { settings, log, bodies, now } = parts;
  const app = Fastify({
    genReqId: parts.newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // No operation depends on the Host header, and Node.js would refuse its absence without an envelope.
    // A header sent twice is joined and refused instead of half believed.
    http: {
      requireHostHeader: false,
      joinDuplicateHeaders: true,
      ServerResponse: ResponseWithFixedHeaders,
      highWaterMark: bodyBufferBytes,
    },
    trustProxy: proxiesToTrust(settings.trustProxy),
    clientErrorHandler: (error, socket) =>
      answerClientError(error, socket, { server: app.server, turns: parts.turns, ...refusalPartsOf(parts) }),
    frameworkErrors(_error, request, reply) {
      noteArrival(request, reply, parts);
      drain.announce(reply);
      refuseBadUrl(request, reply, { settings, log, serves });
    },
    // The signature covers the query as received, so the pipeline parses it.
    routerOptions: { querystringParser: () => ({}) },
  });
  parts.connectionLimit.applyTo(app.server, openConnectionsOf(settings, readProcessMemory(), serves));
  app.server.maxHeadersCount = headersMax;
  const drain = createDrain(app, () => parts.refusalPace.end());
  addRequestHook(app, drain, parts);
  passBodiesOn(app);
  addFallbacks(app, { settings, log, bodies, serves, now });
  guardConnections(app, drain, parts);
  return Object.assign(app, drain);
}

/** Notes what is known of every request as it arrives. */
function addRequestHook(app: FastifyInstance, drain: Drain, parts: ListenerParts): void {
  app.decorateRequest('receivedAtMs', 0);
  app.decorateRequest('clientAddress', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    noteArrival(request, reply, parts);
    drain.announce(reply);
    hideContentType(request);
    done();
  });
}

/** Makes the limits on the bodies that a process holds, for all its listeners together. */
function createBodyParts({ smallBodies, largeBodies }: MemoryShares) {
  const watch = new ArrivalWatch(() => performance.now());
  const checks = setInterval(() => watch.check(), arrivalCheckMs).unref();
  const bodies: BodyParts = {
    budget: new BodyBudget({ smallBytes: smallBodies, largeBytes: largeBodies }),
    watch,
  };
  return { bodies, endChecks: () => clearInterval(checks) };
}

/** Notes when a request came, and from where, and gives it its id. */
function noteArrival(
  request: FastifyRequest,
  reply: FastifyReply,
  { settings, unnamedProxies }: ListenerParts,
): void {
  const { trustProxy } = settings;
  request.receivedAtMs = performance.now();
  cutProxyChain(request.raw.headers);
  request.clientAddress = clientAddress(request, trustProxy);
  const sender = unnamedProxy(request, trustProxy);
  if (sender !== undefined) unnamedProxies.note({ sender }, describeUnnamedProxy);
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
