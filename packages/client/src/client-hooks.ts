import type { OperationName } from './errors.ts';

/** One request of a call. */
export interface RequestEvent {
  readonly operation: OperationName;
  /** 1 for the first request of the call. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

/** An envelope arrived. */
export interface ResponseEvent extends RequestEvent {
  /** Code of the envelope. */
  readonly code: number;
  readonly httpStatus: number;
  /** Identifies the request in the server's log; `undefined` where a browser may not read the header. */
  readonly requestId: string | undefined;
  /** Milliseconds from the request to the complete answer. */
  readonly durationMs: number;
}

/** A request got no usable answer, and another one follows. */
export interface RetryEvent extends RequestEvent {
  /** The error that the call would have ended with. */
  readonly error: Error;
  /** Milliseconds until the next request. */
  readonly delayMs: number;
}

/**
 * Functions that observe the requests of all calls, for logs and metrics. Events hold no secret and no signature, but
 * the URL of a read holds its parameters. A hook cannot change a call: what it throws is an uncaught exception.
 */
export interface ClientHooks {
  readonly request?: ((event: RequestEvent) => void) | undefined;
  readonly response?: ((event: ResponseEvent) => void) | undefined;
  readonly retry?: ((event: RetryEvent) => void) | undefined;
}

/** Calls a hook. An exception must not hide from the caller that a write was applied. */
export function callHook<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
