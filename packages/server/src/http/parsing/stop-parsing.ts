import type { Socket } from 'node:net';
import { parserOf } from './parser-of.ts';

/** The answer of Node.js to its parser at an upgrade: no HTTP follows, so it leaves the rest of the packet alone. */
export const nothingFollows = 2;

/**
 * Keeps what follows on a connection from becoming requests. From each further packet, the parser still reads the
 * headers of one request, and drops the rest.
 *
 * Pausing the socket comes too late, because Node.js parses the whole packet first.
 *
 * @returns `false`, having done nothing, if the internals of this release of Node.js differ
 */
export function stopParsing(socket: Socket): boolean {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming !== 'function') return false;
  parser.onIncoming = (request) => {
    // For a request for another protocol, Node.js would take the connection away from the answers that are not sent yet.
    request.upgrade = false;
    return nothingFollows;
  };
  return true;
}
