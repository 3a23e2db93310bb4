import type { IncomingMessage, Server } from 'node:http';
import { wrapRequestListener } from '../wrap-request-listener.ts';
import { stopParsing } from './stop-parsing.ts';

/**
 * Makes the answer to a request with `Upgrade` the last one of its connection if more bytes came with that request.
 *
 * The server upgrades nothing, and serves such a request like any other. But Node.js drops what follows it in the same
 * packet: the client would take the answer to a later request for that to a dropped one, and the body of a dropped
 * request would be read as a request. Clients that send the header with every first request, such as Java's, wait for
 * the answer, and keep their connection.
 */
export function closeAfterUpgrade(server: Server): void {
  wrapRequestListener(server, (handle) => (request, response) => {
    if (request.headers.upgrade !== undefined && isFollowed(request)) {
      stopParsing(request.socket);
      response.shouldKeepAlive = false;
    }
    handle(request, response);
  });
}

/** The undocumented parser of a connection. */
interface Parser {
  /** Returns the packet that is being parsed. */
  getCurrentBuffer(): Buffer | undefined;
}

const endOfHeaders = '\r\n\r\n';

/** Returns whether the packet that ends the headers may have more than this request. */
function isFollowed({ socket, headers }: IncomingMessage): boolean {
  const parser = Reflect.get(socket, 'parser') as Partial<Parser> | null | undefined;
  const packet = parser?.getCurrentBuffer?.();
  if (packet === undefined) return true;
  const bodyBytes = Number(headers['content-length'] ?? 0);
  return packet.length > packet.indexOf(endOfHeaders) + endOfHeaders.length + bodyBytes;
}
