import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { parserOf } from './parser-of.ts';
import { nothingFollows } from './stop-parsing.ts';

/** Returns whether a body follows the headers of a request. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Keeps the parser from reading bodies, on a server whose requests have none. The server must close the connection of a
 * request that has one.
 *
 * Node.js calls the server for each chunk of a body, even of one that it discards. A body in chunks of one byte takes ten
 * milliseconds of the event loop for every 64 KiB.
 */
export function skipBodies(server: Server): void {
  // The server has its own listener for connections since it was made, which gives each one its parser.
  server.on('connection', (socket: Socket) => {
    const parser = parserOf(socket);
    const takeRequest = parser?.onIncoming;
    if (!parser || takeRequest === undefined) return;
    parser.onIncoming = (request, keepAlive) => {
      const next = takeRequest(request, keepAlive);
      if (!hasBody(request)) return next;
      request.upgrade = false;
      return nothingFollows;
    };
  });
}
