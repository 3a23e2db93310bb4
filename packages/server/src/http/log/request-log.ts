import { type Operation, operations } from '@fieldroster/contract';
import type { FastifyRequest } from 'fastify';
import type { CallRecorder } from '../../call-records/call-recorder.ts';
import type { ConsoleCall } from '../../console/console-call.ts';
import { appIdCharactersMax } from '../../database/database.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { describeCause, type Logger } from '../../logging/logger.ts';
import type { Call } from '../../pipeline/call.ts';
import type { LoggedCaller } from '../../pipeline/failures/failed-call.ts';
import { refusesCaller } from '../../pipeline/failures/refuses-caller.ts';
import { networkOf } from '../network-of.ts';
import type { UnreadRefusal } from '../parsing/client-error.ts';
import { originForm, pathOf } from '../parsing/origin-form.ts';
import type { CallObserver } from './call-observer.ts';
import { callerIds } from './caller-ids.ts';
import { budgetOf, LineBudgets, type Sender } from './line-budgets.ts';

/** The fields of a failed call's line, apart from its request and code. */
interface FailedCaller {
  readonly operation: string | null;
  readonly app_id?: string | null;
  readonly username_hash?: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Time of arrival by the clock of `performance.now()`. */
    receivedAtMs: number;
  }
}

/** How a call of the console ended. */
interface ConsoleOutcome {
  readonly code: number;
  /** The operator's username; absent for a visitor. */
  readonly operator: string | undefined;
  /** A keyed hash of the username of a failed sign-in. */
  readonly usernameHash?: string | undefined;
  readonly failure?: ApiError;
}

/**
 * Writes one line for each call, and for each request refused before it became one. No line holds a signature, body,
 * password or secret, because none of them is passed in.
 *
 * Fastify gets no logger: it would create objects and listeners for every request.
 */
export class RequestLog {
  readonly #logger: Logger;
  readonly #recorder: CallRecorder;
  readonly #observer: CallObserver | undefined;
  readonly #budgets: LineBudgets;
  /** Loggers of successes, by operation and application. */
  readonly #ofSuccesses = new Map<string, Map<string, Logger>>();

  constructor(logger: Logger, recorder: CallRecorder, observer?: CallObserver) {
    this.#logger = logger;
    this.#recorder = recorder;
    this.#observer = observer;
    this.#budgets = new LineBudgets(logger);
  }

  /** Reports the lines that the budgets have suppressed so far. */
  end(): void {
    this.#budgets.flush();
  }

  success({ operation }: Call, appId: string, request: FastifyRequest): void {
    const { id: request_id, clientAddress: address = null } = request;
    const ids = callerIds(request.raw.headers);
    const line = { request_id, ...ids, address, duration_ms: durationMs(request) };
    this.#recorder.recordSuccess(operation, appId, line.duration_ms);
    this.#observer?.noteAnswer(operation.name, 0, line.duration_ms);
    this.#loggerOfSuccess(operation.name, appId).info(line);
  }

  failure({ operation }: Call, caller: LoggedCaller, request: FastifyRequest, failure: ApiError): void {
    const { appId, usernameHash: username_hash } = caller;
    const app_id = appId?.slice(0, appIdCharactersMax) ?? null;
    const sender = caller.application === 'verified' ? 'verified' : 'stranger';
    this.#writeFailure(request, { operation: operation.name, app_id, username_hash }, failure, sender);
    this.#record(request, failure, caller, operation);
  }

  /** Logs a call of the console. */
  console(
    action: ConsoleCall['action'],
    request: FastifyRequest,
    { code, operator, usernameHash: username_hash, failure }: ConsoleOutcome,
  ): void {
    const operation = action.kind === 'own' ? action.operation.name : operations[action.key].name;
    const caller = { console: true, operation, operator: operator ?? null };
    if (failure !== undefined) {
      const sender = operator === undefined ? 'stranger' : 'verified';
      this.#writeFailure(request, { ...caller, username_hash }, failure, sender);
      return;
    }
    const { id: request_id, clientAddress: address = null } = request;
    const ids = callerIds(request.raw.headers);
    const line = { request_id, ...ids, address, ...caller, code, duration_ms: durationMs(request) };
    this.#logger.info(line, 'request');
  }

  /** Logs a request that never reached an operation, such as one with an unknown path or too large a body. */
  refusal(request: FastifyRequest, failure: ApiError): void {
    this.#writeFailure(request, { operation: null, app_id: null }, failure, 'stranger');
    this.#record(request, failure, {}, undefined);
  }

  /** Logs that an answer broke off. Its line as a success was written before it was sent. */
  brokenOff({ id: request_id }: FastifyRequest, error: unknown): void {
    this.#logger.error({ request_id, cause: describeCause(error) }, 'an answer broke off in the middle');
  }

  /** Logs a request that could not even be read, of which nothing but its connection is known. */
  unread({ requestId: request_id, address, code, reason }: UnreadRefusal): void {
    if (!this.#budgets.take('strangers', code)) return;
    const line = { request_id, address: address ?? null, operation: null, app_id: null, code, reason };
    this.#logger.info(line, 'request');
  }

  #record(
    request: FastifyRequest,
    failure: ApiError,
    { appId, application, describeMismatch }: LoggedCaller,
    operation: Operation | undefined,
  ): void {
    const { clientAddress: address, raw } = request;
    this.#recorder.recordFailure({
      requestId: request.id,
      operation,
      appId,
      application,
      code: failure.code,
      message: reasonOf(failure),
      cause: failure.code >= 1500 && failure.cause !== undefined ? String(failure.cause) : undefined,
      durationMs: durationMs(request),
      address,
      network: address && networkOf(address),
      method: raw.method ?? '',
      target: originForm(raw.url ?? ''),
      describeMismatch,
    });
  }

  #loggerOfSuccess(operation: string, app_id: string): Logger {
    const known = this.#ofSuccesses.get(operation)?.get(app_id);
    if (known !== undefined) return known;
    const logger = this.#logger.with({ operation, app_id, code: 0, msg: 'request' });
    const ofOperation = this.#ofSuccesses.get(operation) ?? new Map<string, Logger>();
    this.#ofSuccesses.set(operation, ofOperation.set(app_id, logger));
    return logger;
  }

  #writeFailure(request: FastifyRequest, caller: FailedCaller, failure: ApiError, sender: Sender): void {
    const { code } = failure;
    const { id: request_id, clientAddress: address = null } = request;
    const ids = callerIds(request.raw.headers);
    const line = { request_id, ...ids, address, ...caller, code, duration_ms: durationMs(request) };
    this.#observer?.noteAnswer(caller.operation ?? undefined, code, line.duration_ms);
    if (!this.#budgets.take(budgetOf(failure, sender), code)) return;
    const { level, details, message } = describeFailure(request, failure);
    this.#logger[level]({ ...line, ...details }, message);
  }
}

/** The parts of the line about a failure besides its request and code. */
interface FailureLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: object;
  readonly message: string;
}

function describeFailure(request: FastifyRequest, failure: ApiError): FailureLine {
  const { code, cause } = failure;
  if (code === 1500)
    return { level: 'error', details: { cause: describeCause(cause ?? failure) }, message: 'request failed' };
  // A refusal by the server itself, for example of a body beyond its memory, has a message but no cause.
  if (code === 1503)
    return {
      level: 'warn',
      details: { cause: String(cause ?? failure.message) },
      message: 'request refused',
    };
  const reason = reasonOf(failure);
  if (refusesCaller(code))
    return { level: 'warn', details: { ...whatWasAsked(request), reason }, message: 'request' };
  return { level: 'info', details: { reason }, message: 'request' };
}

/** Returns the method and the path, which is one of the contract's: nothing else gets as far as a refusal. */
function whatWasAsked({ raw: { method, url = '' } }: FastifyRequest) {
  return { method, path: pathOf(url) };
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
