import { signRequest } from '@fieldroster/signing';
import { defaultTimeoutMs } from './answer-wait.ts';
import type { CallOptions } from './call-options.ts';
import { type CallProgress, changesNothing, endWith, maySignAgain, nameOf } from './call-progress.ts';
import { callHook, type RequestEvent } from './client-hooks.ts';
import { positive, type RetrySettings, readRetry, type Settings } from './client-options.ts';
import { timestampSkewSeconds } from './generated/operations.ts';
import { judgeAnswer, type Settlement, type Verdict } from './judge-answer.ts';
import { type OperationKey, type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { backoffMs, pause } from './retry-delay.ts';
import { type Answer, type AttemptLimits, type NoAnswer, type SignedCall, sendOnce } from './send-once.ts';
import type { ClockReading, ServerClock } from './server-clock.ts';

/** The state that all calls of one client share. */
export interface CallParts {
  readonly settings: Settings;
  readonly clock: ServerClock;
  readonly contact: {
    /** Whether a server has ever answered this client or accepted its connection. */
    made: boolean;
  };
}

/** How a call ended, and what it took. */
export interface SettledCall {
  readonly settlement: Settlement;
  readonly attempts: number;
  readonly durationMs: number;
}

/** A wrong URL should fail soon: a client that never reached its server gives up after this time, in milliseconds. */
const firstContactMs = 2000;

/** A request this close to the end of its timestamp window is not sent again, because it could arrive too late. */
const windowMarginMs = 5000;

/** Calls an operation until its outcome is known or the bounds of the settings are reached. */
export async function callOperation(
  parts: CallParts,
  key: OperationKey,
  input: object,
  { signal, timeoutMs: timeoutOfCall, retry }: CallOptions,
): Promise<SettledCall> {
  const { settings, clock } = parts;
  const { answerBytesMax } = settings;
  const progress = begin(key, input, parts);
  const retrySettings = readRetry(retry, settings.retry);
  const request = prepareRequest(settings.baseUrl, key, input);
  let signed = sign(request, progress.reading, settings);
  const timeoutMs = timeoutOfCall ?? settings.timeoutMs ?? defaultTimeoutMs(request.body, input);
  positive('timeoutMs', timeoutMs);
  for (;;) {
    progress.attempts += 1;
    const event = {
      operation: nameOf(progress),
      attempt: progress.attempts,
      method: signed.method,
      url: signed.url,
    };
    const answer = await sendObserved(parts, signed, event, { timeoutMs, answerBytesMax, signal });
    const verdict = judgeAnswer(answer, progress, clock);
    if (verdict.next === 'settle') {
      const durationMs = performance.now() - progress.startedAtMs;
      return { settlement: verdict.settlement, attempts: progress.attempts, durationMs };
    }
    if (verdict.next === 'fail') throw verdict.error;
    const wait = waitBeforeRetry(verdict, progress, parts, retrySettings);
    callHook(settings.hooks.retry, { ...event, error: verdict.error, delayMs: wait.delayMs });
    await pause(wait.delayMs, signal);
    if (wait.signAgain) {
      progress.reading = clock.read();
      signed = sign(request, progress.reading, settings);
    }
  }
}

async function sendObserved(
  { settings, contact }: CallParts,
  signed: SignedCall,
  event: RequestEvent,
  limits: AttemptLimits,
): Promise<Answer | NoAnswer> {
  const sentAtMs = performance.now();
  callHook(settings.hooks.request, event);
  const answer = await sendOnce(settings.fetch, signed, limits);
  contact.made ||= answer.kind === 'answer' || answer.reach !== 'unsent';
  if (answer.kind === 'answer') {
    const { code, httpStatus, requestId } = answer;
    const durationMs = performance.now() - sentAtMs;
    callHook(settings.hooks.response, { ...event, code, httpStatus, requestId, durationMs });
  }
  return answer;
}

/** The fields that change how a write is retried. */
interface ControlFields {
  readonly if_revision?: unknown;
  readonly dry_run?: unknown;
}

function begin(key: OperationKey, input: ControlFields, { clock }: CallParts): CallProgress {
  return {
    key,
    changesNothing: changesNothing(key, input),
    startedAtMs: performance.now(),
    conditional: (input.if_revision ?? null) !== null,
    attempts: 0,
    reading: clock.read(),
    lost: false,
    overloaded: false,
    clockCorrected: false,
  };
}

function sign(request: PreparedRequest, reading: ClockReading, settings: Settings): SignedCall {
  const { method, url, target, body } = request;
  const { appId, appSecret } = settings;
  const timestampSeconds = reading.seconds;
  const { headers } = signRequest({
    appId,
    appSecret,
    method,
    target,
    body,
    timestampSeconds,
  });
  const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { method, url, body, headers: { ...headers, ...contentType } };
}

interface Wait {
  readonly delayMs: number;
  readonly signAgain: boolean;
}

/**
 * Returns how long to wait for the next attempt, and whether it needs a new signature.
 *
 * @throws the error that the call ends with, when no further attempt is allowed
 */
function waitBeforeRetry(
  { error, afterMs, sign }: Extract<Verdict, { next: 'retry' }>,
  progress: CallProgress,
  { clock, contact }: CallParts,
  retry: RetrySettings,
): Wait {
  const delayMs = sign === 'at once' ? 0 : Math.max(afterMs, backoffMs(retry, progress.attempts));
  const elapsedMs = performance.now() - progress.startedAtMs;
  const budgetMs = contact.made ? retry.budgetMs : Math.min(retry.budgetMs, firstContactMs);
  if (progress.attempts >= retry.attemptsMax || elapsedMs + delayMs > budgetMs) {
    throw endWith(error, progress);
  }
  const livesUntilMs = (progress.reading.seconds + timestampSkewSeconds) * 1000 - windowMarginMs;
  const alive = clock.nowMs() + delayMs < livesUntilMs;
  if (!alive && !maySignAgain(progress)) throw endWith(error, progress);
  return { delayMs, signAgain: sign !== 'as before' || !alive };
}
