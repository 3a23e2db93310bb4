import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type BodyParts, RequestBody } from './body/request-body.ts';

/** A request that a route received, with its reply and the body that is still arriving. */
export interface Received {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Undefined for a request without a body. */
  readonly body: RequestBody | undefined;
}

interface ReceiveOptions {
  /** Size of the largest body that the route accepts. */
  readonly bytesMax: number;
  readonly bodies: BodyParts;
}

/** Takes a request from Fastify. Its body is not read yet. */
export function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytesMax, bodies }: ReceiveOptions,
): Received {
  const payload = request.body as IncomingMessage | undefined;
  const body =
    payload && new RequestBody(payload, { bytesMax, parts: bodies, address: request.clientAddress });
  return { request, reply, body };
}
