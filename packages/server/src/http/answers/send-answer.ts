import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Settings } from '../../config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Answer, AnswerInPieces, LargeAnswer } from '../../pipeline/steps/present-answer.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { RequestLog } from '../log/request-log.ts';
import type { RunningCalls } from '../running-calls.ts';
import { type Envelope, statusOf } from './envelope.ts';
import { noteHeldBytes } from './held-bytes.ts';

/** What an answer needs that is read while it is sent. */
export interface SendParts {
  readonly running: RunningCalls;
  readonly log: RequestLog;
}

/** Sets the headers of a successful answer, and returns its body. */
export function sendAnswer(
  answer: Answer | LargeAnswer,
  reply: FastifyReply,
  parts: SendParts,
): string | Readable {
  reply.header('Content-Type', 'application/json; charset=utf-8');
  if ('pieces' in answer) return sendWhileRead(answer, reply, parts);
  if (!('body' in answer)) return sendPieces(answer, reply);
  if (answer.etag !== undefined) reply.header('ETag', answer.etag);
  return answer.body;
}

/** Streams the pieces; joining them would copy a large answer as a whole. */
function sendPieces(pieces: readonly Buffer[], reply: FastifyReply): Readable {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  reply.header('Content-Length', bytes);
  noteHeldBytes(reply.raw, bytes);
  return Readable.from(pieces);
}

/**
 * Streams an answer of unknown length. If reading fails, Fastify destroys the connection, so that the client sees an
 * incomplete answer; if the client disconnects, it destroys the stream, which ends the reading.
 */
function sendWhileRead(
  { pieces, heldBytes }: AnswerInPieces,
  reply: FastifyReply,
  { running, log }: SendParts,
): Readable {
  noteHeldBytes(reply.raw, heldBytes);
  running.begin();
  return Readable.from(pieces)
    .once('error', (error) => log.brokenOff(reply.request, error))
    .once('close', () => running.end());
}

/**
 * Reads the rest of the body, and returns the error to answer with. A body that is too large is refused for its size,
 * whatever an earlier check found.
 */
export async function afterBody(incoming: RequestBody, thrown: unknown): Promise<unknown> {
  try {
    await incoming.drain();
    return thrown;
  } catch (tooLarge) {
    return tooLarge;
  }
}

/** Sets the status and headers of a failure, and returns its envelope. */
export function failureEnvelope(
  reply: FastifyReply,
  failure: ApiError,
  mode: Settings['httpStatus'],
): Envelope {
  reply.code(statusOf(failure, mode));
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
  return { code: failure.code, message: failure.message };
}
