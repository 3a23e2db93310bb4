import type { Fetch } from './client-options.ts';
import { connectionFault } from './connection-fault.ts';
import type { Reach } from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import { OversizedAnswerError, readTextOf } from './read-text.ts';
import { timerMs } from './retry-delay.ts';

/** A signed request that can be sent any number of times with the same bytes. */
export interface SignedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The server's envelope and the relevant response headers. */
export interface Answer {
  readonly kind: 'answer';
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly httpStatus: number;
  readonly requestId: string | undefined;
  readonly date: string | null;
  readonly retryAfter: string | null;
  readonly etag: string | null;
}

/** No envelope arrived. */
export interface NoAnswer {
  readonly kind: 'no-answer';
  readonly message: string;
  readonly cause?: unknown;
  readonly reach: Reach;
  readonly retryAfter: string | null;
}

/** What may end an attempt before its answer is complete. */
export interface AttemptLimits {
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once. Rejects only with the reason of the caller's own signal. */
export async function sendOnce(
  fetch: Fetch,
  call: SignedCall,
  { timeoutMs, answerBytesMax, signal }: AttemptLimits,
): Promise<Answer | NoAnswer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => controller.abort(new DOMException('the time ran out', 'TimeoutError')),
    timerMs(timeoutMs),
  );
  try {
    const response = await fetch(call.url, initOf(call, controller.signal));
    return readResponse(response, await readTextOf(response, answerBytesMax));
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof OversizedAnswerError) return noAnswer('oversized', cause.message, { cause });
    const reason = controller.signal.aborted ? controller.signal.reason : cause;
    const { reach, message } = connectionFault(reason, timerMs(timeoutMs));
    return noAnswer(reach, message, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function initOf({ method, headers, body }: SignedCall, signal: AbortSignal): RequestInit {
  // Following a redirect would send an unsigned request, and could turn a POST into a GET.
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal };
  if (body !== undefined) init.body = body;
  return init;
}

function noAnswer(
  reach: Reach,
  message: string,
  { cause, retryAfter = null }: { cause?: unknown; retryAfter?: string | null } = {},
): NoAnswer {
  return { kind: 'no-answer', message, reach, retryAfter, ...(cause !== undefined && { cause }) };
}

/** Accepts an envelope with any status: some deployments give every code its own status. */
function readResponse(response: Response, text: string): Answer | NoAnswer {
  const { headers, status } = response;
  const envelope = readEnvelope(text);
  if (envelope === undefined) {
    return noAnswer(reachOfStatus(status), explainStatus(status, headers.get('Location')), {
      retryAfter: headers.get('Retry-After'),
    });
  }
  return {
    kind: 'answer',
    ...envelope,
    httpStatus: status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    date: headers.get('Date'),
    retryAfter: headers.get('Retry-After'),
    etag: headers.get('ETag'),
  };
}

function readEnvelope(text: string): Pick<Answer, 'code' | 'message' | 'data'> | undefined {
  try {
    const { code, message, data } = parseExactJson(text) as Partial<Record<string, unknown>>;
    if (!Number.isInteger(code)) return undefined;
    return { code: code as number, message: typeof message === 'string' ? message : '', data };
  } catch {
    return undefined;
  }
}

function reachOfStatus(status: number): Reach {
  if (isTransient(status)) return 'lost';
  return status === 413 ? 'refused' : 'misdirected';
}

/** Returns whether the status comes from a failing gateway or a truncated answer. */
function isTransient(status: number): boolean {
  return (
    status >= 500 || (status >= 200 && status < 300) || status === 408 || status === 425 || status === 429
  );
}

/** @param location where a redirect leads; browsers do not reveal it */
function explainStatus(status: number, location: string | null): string {
  if (status === 0 || (status >= 300 && status < 400)) {
    const target = location === null ? '' : ` to ${location.replace(/[?#].*/s, '')}`;
    return `the server answered with a redirect${target}; give the client the URL that it leads to`;
  }
  const advice = adviceOnStatus[status] ?? 'check the URL, and any proxy in front of the server';
  return `the answer, with HTTP status ${status}, holds no envelope of the server; ${advice}`;
}

const unreached = 'a proxy cannot reach the server; check that the server runs';

/** Advice about an answer that a proxy gave itself, by its HTTP status. */
const adviceOnStatus: Readonly<Record<number, string>> = {
  413: 'let the proxy accept larger bodies, or send less at once',
  502: unreached,
  503: unreached,
  504: unreached,
};
