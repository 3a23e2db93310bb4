import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stopParsing } from './stop-parsing.ts';

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
  const [handle] = server.listeners('request');
  if (handle === undefined) throw new TypeError('the server has no request listener');
  const queued = new WeakMap<Socket, number>();
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (isAnsweredNext(response, request.socket) || isAdmitted(request.socket, response, queued))
      handle.call(server, request, response);
    else if (stopParsing(request.socket)) refuseRest(request, request.socket);
    else request.socket.destroy();
  });
}

/** Of several requests on a connection, Node.js keeps the first one's response in this undocumented property. */
function isAnsweredNext(response: ServerResponse, socket: Socket): boolean {
  return Reflect.get(socket, '_httpMessage') === response;
}

function isAdmitted(socket: Socket, response: ServerResponse, queued: WeakMap<Socket, number>): boolean {
  const before = queued.get(socket) ?? 0;
  if (before >= queuedMax) return false;
  queued.set(socket, before + 1);
  response.once('close', () => queued.set(socket, (queued.get(socket) ?? 0) - 1));
  return true;
}
