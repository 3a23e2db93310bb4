import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../api-error.ts';
import type { Call } from '../pipeline/call.ts';
import type { LoggedCaller } from '../pipeline/failed-call.ts';

/** A caller may claim any text for its APPID; no issued one is longer. */
const appIdCharactersMax = 64;

/** Writes a line of the level `info`, given its fields as JSON without the braces. */
export type InfoWriter = (fields: string) => void;

/** Where the server logs to. */
export interface Log {
  readonly logger: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
  /** Takes what is logged of every success. */
  readonly writeInfo: InfoWriter;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** By the clock of `performance.now()`. */
    receivedAtMs: number;
  }
}

/**
 * One line for each call, and for each request that was refused on its way to one. Never a signature, a body, a password or a secret: none of them is passed in.
 *
 * Fastify is given no logger: for one it makes objects and listeners with every request.
 */
export class RequestLog {
  readonly #log: Log;
  /** Of successes, by operation and application: what of their lines is always the same. */
  readonly #ends = new Map<string, Map<string, string>>();

  constructor(log: Log) {
    this.#log = log;
  }

  success({ operation }: Call, appId: string, request: FastifyRequest): void {
    // The request id is the server's own, an address is digits and colons: neither needs escaping.
    const { id, clientAddress } = request;
    const address = clientAddress === undefined ? 'null' : `"${clientAddress}"`;
    const start = `"request_id":"${id}","address":${address},"duration_ms":${durationMs(request)}`;
    this.#log.writeInfo(`${start},${this.#endOf(operation.name, appId)}`);
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

  /** For what never reached an operation: an unknown path, a body that was too large. */
  refusal(request: FastifyRequest, failure: ApiError): void {
    this.#failure(request, { operation: null, app_id: null }, failure);
  }

  #endOf(operation: string, app_id: string): string {
    const known = this.#ends.get(operation)?.get(app_id);
    if (known !== undefined) return known;
    const end = JSON.stringify({ operation, app_id, code: 0, msg: 'request' }).slice(1, -1);
    const ofOperation = this.#ends.get(operation) ?? new Map<string, string>();
    this.#ends.set(operation, ofOperation.set(app_id, end));
    return end;
  }

  #failure(request: FastifyRequest, caller: object, failure: ApiError): void {
    const { code, cause } = failure;
    const { id: request_id, clientAddress: address = null } = request;
    const line = { request_id, address, ...caller, code, duration_ms: durationMs(request) };
    const { logger } = this.#log;
    if (code === 1500) logger.error({ ...line, cause: describe(cause ?? failure) }, 'request failed');
    // What the server refuses by itself, such as bodies beyond its memory, has no other cause than its message.
    else if (code === 1503)
      logger.warn({ ...line, cause: String(cause ?? failure.message) }, 'request refused');
    else logger.info({ ...line, reason: reasonOf(failure) }, 'request');
  }
}

function durationMs({ receivedAtMs }: FastifyRequest): number {
  return Math.round((performance.now() - receivedAtMs) * 1000) / 1000;
}

/** The message of 1014 holds the caller's string to sign, which is the caller's to read. */
function reasonOf(failure: ApiError): string {
  return failure.code === 1014 ? 'the signature does not match' : failure.message;
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? `; caused by ${cause.cause.message}` : '';
  return `${cause.stack ?? cause.message}${inner}`;
}
