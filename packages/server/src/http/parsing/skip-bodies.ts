import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { parserOf } from './parser-of.ts';
import { nothingFollows } from './stop-parsing.ts';

/** Returns whether a body follows the headers of a request. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Keeps the parser from reading bodies, on a server whose requests have none. The answer to a request that has one closes
 * its connection, also when Node.js itself answers: what comes after that would be the body, and not a request.
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
      // Node.js destroys the connection of CONNECT, but only as long as it takes that for an upgrade.
      if (!hasBody(request) || request.method === 'CONNECT') return takeRequest(request, keepAlive);
      takeRequest(request, false);
      request.upgrade = false;
      return nothingFollows;
    };
  });
}
