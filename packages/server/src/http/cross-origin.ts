import type { HTTPMethods, onRequestHookHandler } from 'fastify';
import type { Settings } from '../config.ts';

/** The headers of a signed request. Nothing else may come from a page of another origin. */
const requestHeaders = 'Authorization, Timestamp, Nonce, Content-Type';

/** The response headers that the client reads: the clock, revisions, when to try again, and the id to report. */
const readableHeaders = 'Date, ETag, Retry-After, X-Request-Id';

/** How long a browser may remember a preflight. Changed settings reach every page within that time. */
const preflightSeconds = '600';

/** The permissions of pages of other origins for an operation. */
export interface CrossOrigin {
  /** Lets pages of the listed origins read the answer. */
  readonly onRequest: onRequestHookHandler;
  /** Permits the signed headers in answer to a preflight. A preflight of another origin is an unsupported method. */
  answerPreflight(methods: readonly HTTPMethods[]): onRequestHookHandler;
}

/** Returns `undefined` when no other origin is served, so that requests do not pay for it. */
export function crossOrigin({ corsOrigin }: Pick<Settings, 'corsOrigin'>): CrossOrigin | undefined {
  if (corsOrigin === '') return undefined;
  const origins = new Set(corsOrigin.split(','));
  return {
    onRequest({ headers }, reply, done) {
      // Answers to requests without an origin need this too: a cache must not give them to a page of another origin.
      reply.header('Vary', 'Origin');
      const { origin } = headers;
      if (origin !== undefined && origins.has(origin)) {
        reply.header('Access-Control-Allow-Origin', origin);
        reply.header('Access-Control-Expose-Headers', readableHeaders);
      }
      done();
    },
    answerPreflight: (methods) => (request, reply, done) => {
      reply.header('Vary', 'Origin');
      const { origin, 'access-control-request-method': requested } = request.headers;
      if (requested === undefined || origin === undefined || !origins.has(origin)) return done();
      reply.headers({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': requestHeaders,
        'Access-Control-Max-Age': preflightSeconds,
      });
      reply.code(204).send();
    },
  };
}
