import type { FastifyReply, FastifyRequest } from 'fastify';
import pino from 'pino';
import type { ApiError } from '../api-error.ts';
import type { Call } from '../pipeline/call.ts';

/** A caller may claim any text for its APPID; no issued one is longer. */
const appIdCharactersMax = 64;

/**
 * One line for each call that succeeded, in the form of the logger's own lines. What is the same in all lines of
 * an operation and an application is made once; the logger would take a twentieth of the request's time.
 */
export class SuccessLog {
  readonly #logger: pino.Logger;
  readonly #output: pino.DestinationStream;
  readonly #ends = new Map<string, Map<string, string>>();

  constructor(logger: pino.Logger) {
    this.#logger = logger;
    this.#output = Reflect.get(logger, pino.symbols.streamSym);
  }

  write({ requestId, operation, appId = '' }: Call, reply: FastifyReply): void {
    if (!this.#logger.isLevelEnabled('info')) return;

    // The request id is the server's own and needs no escaping.
    const start = `{"level":${pino.levels.values.info},"time":${Date.now()},"request_id":"${requestId}"`;
    this.#output.write(`${start},"duration_ms":${durationMs(reply)}${this.#endOf(operation.name, appId)}`);
  }

  #endOf(operation: string, app_id: string): string {
    const known = this.#ends.get(operation)?.get(app_id);
    if (known !== undefined) return known;
    const end = `,${JSON.stringify({ operation, app_id, code: 0, msg: 'request' }).slice(1)}\n`;
    const ofOperation = this.#ends.get(operation) ?? new Map<string, string>();
    this.#ends.set(operation, ofOperation.set(app_id, end));
    return end;
  }
}

/** One line for each call that failed. Never a signature, a body, a password or a secret: none of them is passed in. */
export function logFailedCall(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  failure: ApiError,
): void {
  const { requestId: request_id, operation, appId } = call;
  const app_id = appId?.slice(0, appIdCharactersMax) ?? null;
  const line = { request_id, operation: operation.name, app_id, code: failure.code };
  logFailure(request, { ...line, duration_ms: durationMs(reply) }, failure);
}

/** A line for what never reached an operation: an unknown path, a body that was too large. */
export function logRefusal(request: FastifyRequest, reply: FastifyReply, failure: ApiError): void {
  const line = { request_id: request.id, operation: null, app_id: null, code: failure.code };
  logFailure(request, { ...line, duration_ms: durationMs(reply) }, failure);
}

function durationMs(reply: FastifyReply): number {
  return Math.round(reply.elapsedTime * 1000) / 1000;
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
