import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { socketsWithinHeaders } from '../parsing/connections-of.ts';

/**
 * How many headers a request may have. Node.js keeps two strings for each, so many short ones take a multiple of their
 * bytes. Requests through several proxies have about fifty.
 */
export const headersMax = 200;

/** The most bytes of the request line and the headers of one request; the default of Node.js. */
const headerBytesMax = 16 * 1024;

/**
 * Bytes of unfinished headers that a listener keeps. With {@link headersMax}, they take up to one and a half times as
 * much memory.
 */
const unfinishedBytesMax = 16 * 1024 * 1024;

/** How often to check, in milliseconds. At 100, a flood over the loopback took up to 50 MiB more. */
export const unfinishedCheckMs = 25;

interface UnfinishedHeadersOptions {
  /** Called for each connection before it is closed. */
  readonly onClosed: (socket: Socket) => void;
  readonly bytesMax?: number;
}

/**
 * Closes connections whose clients have begun a request and do not finish its headers, once these take too much memory:
 * first those that were found unfinished first. Anybody can send such headers, on as many connections as the limit
 * allows, and Node.js waits a minute for the rest. Other clients send their headers in one packet, or nearly so.
 */
export class UnfinishedHeaders {
  readonly #server: Server;
  readonly #onClosed: (socket: Socket) => void;
  readonly #bytesMax: number;
  /** The connections with unfinished headers at the last check, the oldest first. */
  #unfinished = new Set<Socket>();

  constructor(server: Server, { onClosed, bytesMax = unfinishedBytesMax }: UnfinishedHeadersOptions) {
    this.#server = server;
    this.#onClosed = onClosed;
    this.#bytesMax = bytesMax;
  }

  check(): void {
    const now = new Set(socketsWithinHeaders(this.#server));
    const oldestFirst = new Set([...this.#unfinished.intersection(now), ...now]);
    let bytes = 0;
    for (const socket of oldestFirst) bytes += bytesAtMost(socket);
    for (const socket of oldestFirst) {
      if (bytes <= this.#bytesMax) break;
      bytes -= bytesAtMost(socket);
      oldestFirst.delete(socket);
      this.#onClosed(socket);
      socket.destroy();
    }
    this.#unfinished = oldestFirst;
  }
}

/** The packet with the start of the headers may have been the end of another request, so this may be too much. */
function bytesAtMost({ bytesRead }: Socket): number {
  return Math.min(bytesRead, headerBytesMax);
}
