import { randomBytes } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Settings } from '../config.ts';
import type { Store } from '../store/store.ts';
import { answerClientError } from './client-error.ts';
import { createDrain, type Drain } from './drain.ts';
import { addHealthRoutes } from './health.ts';
import { addOperationRoutes, keepContentTypeAside, type RunCall } from './operation-routes.ts';
import { addReferenceRoutes } from './reference/reference-routes.ts';
import { type InfoWriter, SuccessLog } from './request-log.ts';
import { addFallbacks, refuseBadUrl } from './unmatched.ts';

const requestTimeoutMs = 60_000;

/** Longer than the idle time of usual proxies and client pools, so that they close first. */
const keepAliveTimeoutMs = 75_000;

/** Where the server logs to. */
export interface Log {
  readonly logger: FastifyBaseLogger;
  /** Takes what is logged of every success. */
  readonly writeInfo: InfoWriter;
}

/** Builds the HTTP side of the server; it does not listen yet. */
export function createListener(
  settings: Settings,
  run: RunCall,
  store: Store,
  { logger: loggerInstance, writeInfo }: Log,
): FastifyInstance & Drain {
  const newRequestId = requestIds();
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Every line names its request by itself; a logger for each request would only cost time.
    childLoggerFactory: (logger) => logger,
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
      setCommonHeaders(request, reply);
      refuseBadUrl(request, reply, settings);
    },
    // The signature needs the query as received; the pipeline reads it from there.
    routerOptions: { querystringParser: () => ({}) },
  });
  const drain = createDrain(app);
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    drain.announce(reply);
    keepContentTypeAside(request);
    done();
  });
  // The default answers an expectation that it does not know by itself, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  addOperationRoutes(app, { run, settings, drain, successes: new SuccessLog(writeInfo) });
  addFallbacks(app, settings);
  addHealthRoutes(app, store);
  addReferenceRoutes(app, settings);
  return Object.assign(app, drain);
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
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
