import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../api-error.ts';
import type { Call } from '../pipeline/call.ts';

/** A caller may claim any text for its APPID; no issued one is longer. */
const appIdCharactersMax = 64;

/** One line for each request. Never a signature, a body, a password or a secret: none of them is passed in. */
export function logCall(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  failure: ApiError | undefined,
): void {
  const line = {
    request_id: call.requestId,
    operation: call.operation.name,
    app_id: call.appId?.slice(0, appIdCharactersMax) ?? null,
    code: failure?.code ?? 0,
    duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
  };
  if (failure === undefined) request.log.info(line, 'request');
  else logFailure(request, line, failure);
}

/** A line for what never reached an operation: an unknown path, a body that was too large. */
export function logRefusal(request: FastifyRequest, reply: FastifyReply, failure: ApiError): void {
  const duration_ms = Math.round(reply.elapsedTime * 1000) / 1000;
  logFailure(
    request,
    { request_id: request.id, operation: null, app_id: null, code: failure.code, duration_ms },
    failure,
  );
}

function logFailure(request: FastifyRequest, line: Record<string, unknown>, failure: ApiError): void {
  if (failure.code === 1500) request.log.error({ ...line, cause: describe(failure.cause) }, 'request failed');
  else if (failure.code === 1503)
    request.log.warn({ ...line, cause: String(failure.cause) }, 'request refused');
  else request.log.info({ ...line, reason: reasonOf(failure) }, 'request');
}

/** The message of 1014 holds the caller's string to sign, which is the caller's to read. */
function reasonOf(failure: ApiError): string {
  return failure.code === 1014 ? 'the signature does not match' : failure.message;
}

function describe(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : String(cause);
  const inner = cause.cause instanceof Error ? `; caused by ${cause.cause.message}` : '';
  return `${cause.stack ?? cause.message}${inner}`;
}
