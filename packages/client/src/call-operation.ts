import { signRequest } from '@fieldroster/signing';
import { type CallProgress, endWith, isRead, maySignAnew } from './call-progress.ts';
import { type CallOptions, positive, type Settings } from './client-options.ts';
import { timestampSkewSeconds } from './generated/operations.ts';
import { judgeAnswer, type Settlement, type Verdict } from './judge-answer.ts';
import { newNonce } from './new-nonce.ts';
import { type OperationKey, type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { backoffMs, pause } from './retry-delay.ts';
import { type SignedCall, sendOnce } from './send-once.ts';
import type { ClockReading, ServerClock } from './server-clock.ts';

/** The state that all calls of one client share. */
export interface CallParts {
  readonly settings: Settings;
  readonly clock: ServerClock;
}

/** A request this close to the end of its timestamp window is not sent again, because it could arrive too late. */
const windowMarginMs = 5000;

/** Calls an operation until its outcome is known or the bounds of the settings are reached. */
export async function callOperation(
  parts: CallParts,
  key: OperationKey,
  input: object,
  { signal, timeoutMs = parts.settings.timeoutMs }: CallOptions,
): Promise<Settlement> {
  const { settings, clock } = parts;
  const request = prepareRequest(settings.baseUrl, key, input);
  const progress = begin(key, input, parts);
  let signed = sign(request, progress.reading, settings);
  positive('timeoutMs', timeoutMs);
  for (;;) {
    progress.attempts += 1;
    progress.timesSent += 1;
    const answer = await sendOnce(settings.fetch, signed, timeoutMs, signal);
    const verdict = judgeAnswer(answer, progress, clock);
    if (verdict.next === 'settle') return verdict.settlement;
    if (verdict.next === 'fail') throw verdict.error;
    if (await prepareRetry(verdict, progress, parts, signal)) {
      progress.reading = clock.read();
      progress.timesSent = 0;
      signed = sign(request, progress.reading, settings);
    }
  }
}

function begin(
  key: OperationKey,
  input: { if_revision?: unknown },
  { settings, clock }: CallParts,
): CallProgress {
  return {
    key,
    startedAtMs: settings.now(),
    conditional: (input.if_revision ?? null) !== null,
    attempts: 0,
    timesSent: 0,
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
    nonce: newNonce(),
  });
  const contentType = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return { method, url, body, headers: { ...headers, ...contentType } };
}

/**
 * Waits for the next attempt and returns whether it needs a new signature.
 *
 * @throws the error that the call ends with, when no further attempt is allowed
 */
async function prepareRetry(
  { error, afterMs, sign }: Extract<Verdict, { next: 'retry' }>,
  progress: CallProgress,
  { settings, clock }: CallParts,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const delayMs = sign === 'at once' ? 0 : Math.max(afterMs, backoffMs(settings, progress.attempts));
  const elapsedMs = settings.now() - progress.startedAtMs;
  if (progress.attempts >= settings.attemptsMax || elapsedMs + delayMs > settings.budgetMs) {
    throw endWith(error, progress);
  }
  const livesUntilMs = (progress.reading.seconds + timestampSkewSeconds) * 1000 - windowMarginMs;
  const alive = clock.nowMs() + delayMs < livesUntilMs;
  if (!alive && !maySignAnew(progress)) throw endWith(error, progress);
  await pause(delayMs, signal);
  return sign === 'at once' || isRead(progress.key) || !alive;
}
