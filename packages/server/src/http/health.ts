import type { FastifyInstance } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Store } from '../store/store.ts';
import type { Drain } from './drain.ts';
import { failureEnvelope } from './operation-routes.ts';
import type { RequestLog } from './request-log.ts';

const pingTimeoutMs = 2_000;

/**
 * `/healthz`: the process answers. `/readyz`: its database does too, and the node is not about to stop.
 * Neither needs a signature.
 */
export function addHealthRoutes(app: FastifyInstance, store: Store, log: RequestLog, drain: Drain): void {
  app.get('/healthz', async () => ({ code: 0, message: '' }));
  app.get('/readyz', async (request, reply) => {
    if (drain.isDraining()) return failureEnvelope(reply, draining(), 'standard');
    try {
      await within(pingTimeoutMs, store.ping());
      return { code: 0, message: '' };
    } catch (cause) {
      log.notReady(request, cause);
      const failure = new ApiError(1503, 'the database does not answer; try again', {
        cause,
        retryAfterSeconds: 1,
      });
      return failureEnvelope(reply, failure, 'standard');
    }
  });
}

function draining(): ApiError {
  return new ApiError(1503, 'draining: this node is about to stop; ask another one', {
    retryAfterSeconds: 1,
  });
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
