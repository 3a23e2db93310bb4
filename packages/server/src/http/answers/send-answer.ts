import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Settings } from '../../config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Answer, LargeAnswer } from '../../pipeline/steps/present-answer.ts';
import type { RequestBody } from '../body/request-body.ts';
import { type Envelope, statusOf } from './envelope.ts';
import { noteHeldBytes } from './held-bytes.ts';

/** Sets the headers of a successful answer, and returns its body. */
export function sendAnswer(answer: Answer | LargeAnswer, reply: FastifyReply): string | Readable {
  reply.header('Content-Type', 'application/json; charset=utf-8');
  if (!('body' in answer)) return sendPieces(answer, reply);
  if (answer.etag !== undefined) reply.header('ETag', answer.etag);
  return answer.body;
}

/** Streams the pieces; joining them would copy a large answer as a whole. */
function sendPieces(pieces: LargeAnswer, reply: FastifyReply): Readable {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  reply.header('Content-Length', bytes);
  noteHeldBytes(reply.raw, bytes);
  return Readable.from(pieces);
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
