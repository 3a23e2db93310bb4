import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { CheckState, Readiness } from '../readiness/readiness.ts';
import { addPage } from './add-page.ts';
import { failureEnvelope } from './answers/send-answer.ts';
import type { Drain } from './drain.ts';

/**
 * Adds `/healthz`, which shows that the process answers, and `/readyz`, which reports from memory whether this node
 * should get requests, with the state of each check. A node that is about to stop is not ready. Neither needs a
 * signature.
 */
export function addHealthRoutes(app: FastifyInstance, readiness: Readiness, drain: Drain): void {
  addPage(app, '/healthz', async () => ({ code: 0, message: '' }));
  addPage(app, '/readyz', async (_request, reply) => {
    const { ready, checks } = readiness.state();
    const shown = checks.map(toShown);
    if (drain.isDraining()) return { ...failureEnvelope(reply, draining(), 'standard'), checks: shown };
    if (ready) return { code: 0, message: '', checks: shown };
    return { ...failureEnvelope(reply, notReady(checks), 'standard'), checks: shown };
  });
}

function notReady(checks: readonly CheckState[]): ApiError {
  const failed = checks.filter(({ scope, problem }) => scope === 'node' && problem !== undefined);
  const problems = failed.map(({ name, problem }) => `${name}: ${problem}`).join('; ');
  return new ApiError(1503, `this node is not ready (${problems})`, { retryAfterSeconds: 1 });
}

function draining(): ApiError {
  return new ApiError(1503, 'draining: this node is about to stop; ask another one', {
    retryAfterSeconds: 1,
  });
}

function toShown({ name, scope, problem, ageMs }: CheckState): object {
  const ok = problem === undefined;
  return { name, scope, ok, ...(!ok && { problem }), age_ms: Math.round(ageMs) };
}
