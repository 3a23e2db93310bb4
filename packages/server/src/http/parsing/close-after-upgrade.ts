import type { IncomingMessage, Server } from 'node:http';
import { wrapRequestListener } from '../wrap-request-listener.ts';
import { parserOf } from './parser-of.ts';
import { stopParsing } from './stop-parsing.ts';

/**
 * Makes the answer to a request with `Upgrade` the last one of its connection, unless that request is certain to be the
 * end of what has arrived.
 *
 * The server upgrades nothing, and serves such a request like any other. But Node.js drops what follows it in the packet
 * in which it ends: the client would mistake the answer to a later request for the answer to a dropped one, and the body
 * of a dropped request would be read as a request. Clients such as Java's, which send the header with every first
 * request, wait for the answer and keep their connection.
 */
export function closeAfterUpgrade(server: Server): void {
  wrapRequestListener(server, (handle) => (request, response) => {
    if (request.headers.upgrade !== undefined && !isLast(request)) {
      stopParsing(request.socket);
      response.shouldKeepAlive = false;
    }
    handle(request, response);
  });
}

const endOfHeaders = '\r\n\r\n';

/**
 * Returns whether the packet that ends the headers certainly ends with this request. The parser does not tell where in
 * the packet the headers end, so there must be only one place.
 */
function isLast({ socket, headers }: IncomingMessage): boolean {
  const packet = parserOf(socket)?.getCurrentBuffer?.();
  if (packet === undefined || headers['transfer-encoding'] !== undefined) return false;
  const end = packet.indexOf(endOfHeaders);
  // A packet that begins like this may begin within the end of the headers.
  const mayEndFirst = endOfHeaders.includes(packet.toString('latin1', 0, 1));
  if (end < 0 || end !== packet.lastIndexOf(endOfHeaders) || mayEndFirst) return false;
  return packet.length === end + endOfHeaders.length + Number(headers['content-length'] ?? 0);
}
