import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from '../answers/answered-next.ts';
import { stopParsing } from '../parsing/stop-parsing.ts';
import { wrapRequestListener } from '../wrap-request-listener.ts';

/** Requests that may wait on one connection behind the one that is answered first. */
export const queuedMax = 50;

/**
 * Bounds the requests that a client sends on one connection before it reads their answers.
 *
 * Node.js reads up to 64 KiB at once, in which there is room for 3,600 requests, and begins them all before anything
 * else gets its turn. They take a thousand times the memory of their bytes, and nothing is known of their sender yet.
 *
 * @param refuseRest answers the first request beyond the limit; nothing that follows it is read
 */
export function limitUnanswered(
  server: Server,
  refuseRest: (request: IncomingMessage, socket: Socket) => void,
): void {
  const queues = new Queues();
  wrapRequestListener(server, (handle) => (request, response) => {
    const { socket } = request;
    if (isAnsweredNext(response, socket) || queues.admit(response, socket)) handle(request, response);
    else if (stopParsing(socket)) refuseRest(request, socket);
    else socket.destroy();
  });
}

function isAnsweredNext(response: ServerResponse, socket: Socket): boolean {
  return answeredNext(socket) === response;
}

/**
 * For each connection, the unanswered responses that had to wait when their requests came. One of them may be next by
 * now.
 */
class Queues {
  readonly #waited = new WeakMap<Socket, Set<ServerResponse | null | undefined>>();

  /** Returns whether one more may wait, and counts it. */
  admit(response: ServerResponse, socket: Socket): boolean {
    const waited = this.#waited.get(socket) ?? new Set();
    const waiting = waited.size - (waited.has(answeredNext(socket)) ? 1 : 0);
    if (waiting >= queuedMax) return false;
    this.#waited.set(socket, waited.add(response));
    response.once('close', () => waited.delete(response));
    return true;
  }
}
