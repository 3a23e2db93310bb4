import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { headersMax } from '../limits/unfinished-headers.ts';
import { wrapRequestListener } from '../wrap-request-listener.ts';
import { stopParsing } from './stop-parsing.ts';

/** The faults that the parser of Node.js lets through, although the request would be misread. */
export type UnreadableFault = 'transfer-coding' | 'old-chunks' | 'fragment' | 'header-count';

/**
 * Refuses requests that the parser accepts and this server would misread. The parser would undo only the chunks
 * of `gzip, chunked`, and read chunks of HTTP/1.0, which a proxy in front may not (RFC 9112, section 6.1). A fragment is
 * never part of a request's target (section 3.2). Beyond the number of headers that the server sets, Node.js before 26
 * drops headers instead of refusing the request.
 *
 * @param refuse answers the request; nothing that follows it on the connection is read
 */
export function refuseUnreadable(
  server: Server,
  refuse: (fault: UnreadableFault, request: IncomingMessage, socket: Socket) => void,
): void {
  wrapRequestListener(server, (handle) => (request, response) => {
    const fault = faultOf(request);
    const { socket } = request;
    if (fault === undefined) handle(request, response);
    else if (stopParsing(socket)) refuse(fault, request, socket);
    else socket.destroy();
  });
}

function faultOf({ headers, rawHeaders, httpVersion, url }: IncomingMessage): UnreadableFault | undefined {
  if (rawHeaders.length > 2 * headersMax) return 'header-count';
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return 'transfer-coding';
  if (coding !== undefined && httpVersion === '1.0') return 'old-chunks';
  return url?.includes('#') ? 'fragment' : undefined;
}
