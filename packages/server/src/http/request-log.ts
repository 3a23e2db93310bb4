import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../api-error.ts';
import type { Logger } from '../logger.ts';
import type { Call } from '../pipeline/call.ts';
import type { LoggedCaller } from '../pipeline/failed-call.ts';
import type { CallObserver } from './call-observer.ts';

/** What a line says about a failed call apart from its request and code. */
interface FailedCaller {
  readonly operation: string | null;
  readonly app_id: string | null;
}

/** A caller may send any text as its APPID; no issued one is longer than this. */
const appIdCharactersMax = 64;

declare module 'fastify' {
  interface FastifyRequest {
    /** Time of arrival by the clock of `performance.now()`. */
    receivedAtMs: number;
  }
}

/**
 * Writes one line for each call, and for each request refused before it became one. No line holds a signature, body,
 * password or secret, because none of them is passed in.
 *
 * Fastify gets no logger: it would create objects and listeners for every request.
 */
export class RequestLog {
  readonly #logger: Logger;
  readonly #observer: CallObserver | undefined;
  /** Loggers of successes, by operation and application. */
  readonly #ofSuccesses = new Map<string, Map<string, Logger>>();

  constructor(logger: Logger, observer?: CallObserver) {
    this.#logger = logger;
    this.#observer = observer;
  }

  success({ operation }: Call, appId: string, request: FastifyRequest): void {
    const { id: request_id, clientAddress: address = null } = request;
    const line = { request_id, address, duration_ms: durationMs(request) };
    this.#observer?.noteAnswer(operation.name, 0, line.duration_ms);
    this.#loggerOfSuccess(operation.name, appId).info(line);
  }

  failure(
    { operation }: Call,
    { appId, usernameHash }: LoggedCaller,
    request: FastifyRequest,
    failure: ApiError,
  ): void {
    const app_id = appId?.slice(0, appIdCharactersMax) ?? null;
    const username = usernameHash === undefined ? {} : { username_hash: usernameHash };
    this.#failure(request, { operation: operation.name, app_id, ...username }, failure);
  }

  /** Logs a request that never reached an operation, such as one with an unknown path or too large a body. */
  refusal(request: FastifyRequest, failure: ApiError): void {
    this.#failure(request, { operation: null, app_id: null }, failure);
  }

  #loggerOfSuccess(operation: string, app_id: string): Logger {
    const known = this.#ofSuccesses.get(operation)?.get(app_id);
    if (known !== undefined) return known;
    const logger = this.#logger.with({ operation, app_id, code: 0, msg: 'request' });
    const ofOperation = this.#ofSuccesses.get(operation) ?? new Map<string, Logger>();
    this.#ofSuccesses.set(operation, ofOperation.set(app_id, logger));
    return logger;
  }

  #failure(request: FastifyRequest, caller: FailedCaller, failure: ApiError): void {
    const { code, cause } = failure;
    const { id: request_id, clientAddress: address = null } = request;
    const line = { request_id, address, ...caller, code, duration_ms: durationMs(request) };
    this.#observer?.noteAnswer(caller.operation ?? undefined, code, line.duration_ms);
    const logger = this.#logger;
    if (code === 1500) logger.error({ ...line, cause: describe(cause ?? failure) }, 'request failed');
    // What the server itself refuses, such as bodies beyond its memory, has no cause but its message.
    else if (code === 1503)
      logger.warn({ ...line, cause: String(cause ?? failure.message) }, 'request refused');
    else logger.info({ ...line, reason: reasonOf(failure) }, 'request');
  }
}

function durationMs({ receivedAtMs }: FastifyRequest): number {
  return Math.round((performance.now() - receivedAtMs) * 1000) / 1000;
}

/**
 * Returns the reason to log. The message of 1014 holds the caller's string to sign, which only the caller should read.
 */
function reasonOf(failure: ApiError): string {
  return failure.code === 1014 ? 'the signature does not match' : failure.message;
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? `; caused by ${cause.cause.message}` : '';
  return `${cause.stack ?? cause.message}${inner}`;
}
