import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyLimit } from './body/body-limits.ts';
import { type BodyParts, RequestBody } from './body/request-body.ts';

/** A request that a route received, with its reply and the body that is still arriving. */
export interface Received {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Undefined for a request without a body. */
  readonly body: RequestBody | undefined;
}

interface ReceiveOptions {
  readonly limit: BodyLimit;
  readonly bodies: BodyParts;
}

/** Takes a request from Fastify. Its body is not read yet. */
export function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, bodies }: ReceiveOptions,
): Received {
  const payload = request.body as IncomingMessage | undefined;
  const body = payload && new RequestBody(payload, { limit, parts: bodies, address: request.clientAddress });
  return { request, reply, body };
}
