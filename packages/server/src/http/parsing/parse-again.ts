import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsOf } from './connections-of.ts';
import { type Parser, parserOf } from './parser-of.ts';

/** The arguments with which Node.js makes the parser of every connection of this server. */
const requestParser = 1;
const headerBytesDefault = 0;
const strict = 0;

/**
 * Gives the connection a fresh parser state and parses a packet with it, in place of the one that failed. Everything
 * else of the connection stays: its listeners, its limits, and its unanswered requests in their order.
 *
 * A new parser by way of the `connection` event would lose that order, and count the connection twice.
 *
 * @returns `false` if this release of Node.js works differently inside; nothing was done then
 */
export function parseAgain(server: Server, socket: Socket, packet: Buffer): boolean {
  const parser = parserOf(socket);
  const connections = connectionsOf(server);
  if (!isParser(parser) || connections === undefined || socket.listenerCount('data') !== 1) return false;
  // The list is sorted by the time at which a request began, which `initialize` sets.
  parser.remove();
  const resource = { type: 'HTTPINCOMINGMESSAGE', socket };
  parser.initialize(requestParser, resource, headerBytesDefault, strict, connections);
  // Node.js listens to this event on every connection, and parses what comes with it.
  socket.emit('data', packet);
  return true;
}

function isParser(
  parser: Partial<Parser> | null | undefined,
): parser is Pick<Parser, 'remove' | 'initialize'> {
  return typeof parser?.remove === 'function' && typeof parser.initialize === 'function';
}
