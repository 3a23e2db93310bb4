import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../api-error.ts';
import type { Call } from '../pipeline/call.ts';

/** A caller may claim any text for its APPID; no issued one is longer. */
const appIdCharactersMax = 64;

/** Writes a line of the level `info`, given its fields as JSON without the braces. */
export type InfoWriter = (fields: string) => void;

/** One line for each call that succeeded. What is the same for an operation and an application is made once. */
export class SuccessLog {
  readonly #write: InfoWriter;
  readonly #ends = new Map<string, Map<string, string>>();

  constructor(write: InfoWriter) {
    this.#write = write;
  }

  write({ requestId, operation, appId = '' }: Call, reply: FastifyReply): void {
    // The request id is the server's own and needs no escaping.
    const start = `"request_id":"${requestId}","duration_ms":${durationMs(reply)}`;
    this.#write(`${start},${this.#endOf(operation.name, appId)}`);
  }

  #endOf(operation: string, app_id: string): string {
    const known = this.#ends.get(operation)?.get(app_id);
    if (known !== undefined) return known;
    const end = JSON.stringify({ operation, app_id, code: 0, msg: 'request' }).slice(1, -1);
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
