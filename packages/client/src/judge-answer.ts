import { type CallProgress, endWith, maySignAgain, nameOf } from './call-progress.ts';
import { FieldrosterError, TransportError } from './errors.ts';
import { operations } from './generated/operations.ts';
import { retryAfterMs } from './retry-delay.ts';
import type { Answer, NoAnswer } from './send-once.ts';
import { type ServerClock, serverMsOf } from './server-clock.ts';

/** How a call succeeded: with data, or with proof that it was applied before. */
export interface Settlement {
  readonly kind: 'answered' | 'proved';
  readonly data: unknown;
  readonly requestId: string | undefined;
  readonly revision: bigint | undefined;
}

/** The next step after an answer, or without one. */
export type Verdict =
  | { readonly next: 'settle'; readonly settlement: Settlement }
  | { readonly next: 'fail'; readonly error: Error }
  /** `error` is what the call ends with if there is no further attempt. */
  | {
      readonly next: 'retry';
      readonly error: Error;
      /** The shortest wait, in milliseconds, that the server asked for. */
      readonly afterMs: number;
      /**
       * A write goes out as before, because the server applies the same bytes at most once; a read is signed again.
       * `'at once'` is without a wait, after a refusal that only a new signature can fix.
       */
      readonly sign: 'as before' | 'again' | 'at once';
    };

/** Decides what follows from one attempt, and records in `progress` what remains unknown. */
export function judgeAnswer(answer: Answer | NoAnswer, progress: CallProgress, clock: ServerClock): Verdict {
  if (answer.kind === 'no-answer') return judgeNoAnswer(answer, progress, clock);
  clock.observe(answer.date);
  if (answer.code === 0) return judgeSuccess(answer, progress);
  const error = new FieldrosterError({ ...answer, operation: nameOf(progress) });
  switch (answer.code) {
    case 1012:
      return judgeExpiry(answer, error, progress, clock);
    case 1015:
      return judgeRepetition(answer, error, progress);
    case 1500:
      return judgeInternalError(error, progress);
    case 1503:
      progress.overloaded = true;
      return again(error, retryAfterMs(answer.retryAfter, clock.nowMs()), progress);
    case 1429:
      // Another check is another guess, so the caller decides.
      if (answer.message.startsWith(tooManyGuesses)) return fail(error);
      return again(error, retryAfterMs(answer.retryAfter, clock.nowMs()), progress);
    default:
      return fail(saysNothingOfEarlier(answer.code) ? endWith(error, progress) : error);
  }
}

function fail(error: Error): Verdict {
  return { next: 'fail', error };
}

function again(error: Error, afterMs: number, { changesNothing }: CallProgress): Verdict {
  return { next: 'retry', error, afterMs, sign: changesNothing ? 'again' : 'as before' };
}

function judgeNoAnswer(noAnswer: NoAnswer, progress: CallProgress, clock: ServerClock): Verdict {
  const { message, cause, reach } = noAnswer;
  const error = new TransportError(nameOf(progress), message, { cause, reach });
  if (reach === 'lost' || reach === 'oversized') progress.lost = true;
  if (reach !== 'unsent' && reach !== 'lost') return fail(endWith(error, progress));
  return again(error, retryAfterMs(noAnswer.retryAfter, clock.nowMs()), progress);
}

function judgeSuccess(answer: Answer, progress: CallProgress): Verdict {
  if ('answer' in operations[progress.key] && !isObject(answer.data)) {
    progress.lost = true;
    const error = new TransportError(nameOf(progress), 'the answer has no data', { reach: 'lost' });
    return again(error, 0, progress);
  }
  return settle('answered', answer);
}

function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** The server writes `"3"`. A proxy that compresses the answer turns it into `W/"3"`, as nginx does, or `"3-gzip"`, as Apache does. */
const revisionTag = /^(?:W\/)?"(\d+)(?:-[a-z]+)?"$/;

function settle(kind: Settlement['kind'], { data, requestId, etag }: Answer): Verdict {
  const digits = revisionTag.exec(etag ?? '')?.[1];
  const revision = digits === undefined ? undefined : BigInt(digits);
  return { next: 'settle', settlement: { kind, data, requestId, revision } };
}

/**
 * The server refused this attempt before doing anything. That does not reveal the outcome of an earlier
 * attempt.
 */
function judgeExpiry(
  answer: Answer,
  error: FieldrosterError,
  progress: CallProgress,
  clock: ServerClock,
): Verdict {
  if (!maySignAgain(progress)) return fail(endWith(error, progress));
  // After a restore, the server refuses writes for a while, whatever their timestamp.
  if (answer.retryAfter !== null)
    return { next: 'retry', error, afterMs: retryAfterMs(answer.retryAfter, clock.nowMs()), sign: 'again' };
  if (progress.clockCorrected) return fail(endWith(error, progress));
  const serverMs = serverMsOf(answer.message, answer.date);
  if (!clock.correct(progress.reading, serverMs)) {
    const isTooFar = serverMs !== undefined && clock.isTooFar(serverMs);
    return fail(endWith(isTooFar ? askToSetClock(error) : error, progress));
  }
  progress.clockCorrected = true;
  return { next: 'retry', error, afterMs: 0, sign: 'at once' };
}

function askToSetClock(error: FieldrosterError): FieldrosterError {
  const message = `${error.message}; this machine's clock differs from the server's by more than a day, which the client does not correct: set it`;
  return new FieldrosterError({ ...error, message });
}

/** The server may not know itself whether it applied a write. The same bytes are applied at most once. */
function judgeInternalError(error: Error, progress: CallProgress): Verdict {
  if (progress.changesNothing) return fail(error);
  progress.lost = true;
  return again(error, 0, progress);
}

/** The contract promises that this begins the message of a 1429 after too many wrong passwords, and of no other. */
const tooManyGuesses = 'this username had';

/** The contract promises that this begins the message of a 1015 that proves a write, and of no other. */
const takenEffect = 'this signed request has already taken effect';

/**
 * The server accepts a signed write once. Every call makes a random nonce, so only copies of its own request have its
 * signature, and one of them was applied. A proxy or the runtime may have sent the second copy, so this holds for the
 * first attempt too. A read is refused like this only where every nonce is accepted once, and signing it again is
 * harmless.
 */
function judgeRepetition(answer: Answer, error: Error, progress: CallProgress): Verdict {
  if (progress.changesNothing) return again(error, 0, progress);
  if (!answer.message.startsWith(takenEffect)) return fail(endWith(error, progress));
  return settle('proved', answer);
}

/**
 * The server can give these codes before it looks for the record of an earlier attempt. With every other code it has
 * looked: a write that was applied would have been answered 1015.
 */
function saysNothingOfEarlier(code: number): boolean {
  return code <= 1016 || code >= 1429;
}
