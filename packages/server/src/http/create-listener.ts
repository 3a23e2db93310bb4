import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Settings } from '../config.ts';
import type { Store } from '../store/store.ts';
import { acceptBetweenRequests } from './accept-between-requests.ts';
import { answerClientError } from './client-error.ts';
import { createDrain, type Drain } from './drain.ts';
import { addHealthRoutes } from './health.ts';
import { addOperationRoutes, keepContentTypeAside, type RouteParts } from './operation-routes.ts';
import { addReferenceRoutes } from './reference/reference-routes.ts';
import { type Log, RequestLog } from './request-log.ts';
import { addFallbacks, refuseBadUrl } from './unmatched.ts';

const requestTimeoutMs = 60_000;

/** Longer than the idle time of usual proxies and client pools, so that they close first. */
const keepAliveTimeoutMs = 75_000;

type Calls = Pick<RouteParts, 'run' | 'running'>;

/** Builds the HTTP side of the server; it does not listen yet. */
export function createListener(
  settings: Settings,
  calls: Calls,
  store: Store,
  serverLog: Log,
): FastifyInstance & Drain {
  const newRequestId = requestIds();
  const log = new RequestLog(serverLog);
  const app = Fastify({
    genReqId: newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Nothing here goes by the Host header; a header that is there twice is refused instead of half believed.
    http: { requireHostHeader: false, joinDuplicateHeaders: true },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newRequestId()),
    frameworkErrors(_error, request, reply) {
      receive(request, reply);
      refuseBadUrl(request, reply, { settings, log });
    },
    // The signature needs the query as received; the pipeline reads it from there.
    routerOptions: { querystringParser: () => ({}) },
  });
  const drain = createDrain(app);
  app.decorateRequest('receivedAtMs', 0);
  app.addHook('onRequest', (request, reply, done) => {
    receive(request, reply);
    drain.announce(reply);
    keepContentTypeAside(request);
    done();
  });
  // The default answers an expectation that it does not know by itself, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addOperationRoutes(app, { ...calls, settings, drain, log });
  addFallbacks(app, { settings, log });
  addHealthRoutes(app, store, log, drain);
  addReferenceRoutes(app, settings);
  acceptBetweenRequests(app);
  return Object.assign(app, drain);
}

function receive(request: FastifyRequest, reply: FastifyReply): void {
  request.receivedAtMs = performance.now();
  // An answer may hold a person's data, or the echo of a password.
  reply.header('X-Request-Id', request.id).header('Cache-Control', 'no-store');
}

/** Unique across processes by a random start, cheap by counting up from there. */
function requestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
