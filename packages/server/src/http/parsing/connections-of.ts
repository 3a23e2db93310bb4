import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Parser } from './parser-of.ts';

/** The undocumented list of a server's connections, which Node.js searches for late requests. */
export interface Connections {
  /**
   * Returns the parsers that have begun a request, or wait for the first one, and have not read it to its end; first those
   * that began first.
   */
  active(): readonly Pick<Parser, 'socket' | 'incoming'>[];
}

/** Returns the server's list of connections; `undefined` if this release of Node.js works differently inside. */
export function connectionsOf(server: Server): Connections | undefined {
  const key = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'http.server.connections',
  );
  const connections = key && (Reflect.get(server, key) as Partial<Connections> | undefined);
  return isConnections(connections) ? connections : undefined;
}

function isConnections(connections: Partial<Connections> | undefined): connections is Connections {
  return typeof connections?.active === 'function';
}

/**
 * Returns the connections on which a request has begun whose headers are not complete, the oldest request first. Every
 * unfinished body in chunks counts, because Node.js keeps its trailers like headers, and does not tell when they begin.
 */
export function socketsWithinHeaders(server: Server): Socket[] {
  const sockets: Socket[] = [];
  for (const { socket, incoming } of connectionsOf(server)?.active() ?? []) {
    if (!isWithinBody(incoming) && socket !== null && !socket.destroyed && socket.bytesRead > 0)
      sockets.push(socket);
  }
  return sockets;
}

function isWithinBody(request: IncomingMessage | null): boolean {
  return request !== null && !request.complete && request.headers['transfer-encoding'] === undefined;
}
