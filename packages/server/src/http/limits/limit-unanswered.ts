import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from '../answers/answered-next.ts';
import { stopParsing } from '../parsing/stop-parsing.ts';
import { wrapRequestListener } from '../wrap-request-listener.ts';
import type { WaitingResponses } from './waiting-responses.ts';

/** Requests that may wait on one connection behind the one that is answered first. */
export const queuedMax = 50;

/**
 * Bounds the requests that clients send before they read the answers to earlier ones, on each connection and on all.
 *
 * Node.js reads up to 64 KiB at once, in which there is room for 3,600 requests, and begins them all before anything
 * else is served. They take a thousand times the memory of their bytes, and nothing is known of their sender yet.
 *
 * @param waiting notes the responses that wait, and knows how many may
 * @param refuseRest answers the first request beyond the limit; nothing that follows it is read
 */
export function limitUnanswered(
  server: Server,
  waiting: WaitingResponses,
  refuseRest: (request: IncomingMessage, socket: Socket) => void,
): void {
  wrapRequestListener(server, (handle) => (request, response) => {
    const { socket } = request;
    const isNext = answeredNext(socket) === response;
    if (!isNext && (waiting.countBehind(socket) >= queuedMax || waiting.isFull)) {
      if (stopParsing(socket)) refuseRest(request, socket);
      else socket.destroy();
      return;
    }
    if (!isNext) waiting.add(response, socket);
    handle(request, response);
  });
}
