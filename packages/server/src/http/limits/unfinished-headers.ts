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

/** How often to look for packets, in milliseconds. At 100, a flood over the loopback took up to 50 MiB more. */
const intervalMs = 25;

interface UnfinishedHeadersOptions {
  /** Called for each connection before it is closed. */
  readonly onClosed: (socket: Socket) => void;
  /** Bytes of unfinished headers that the listener keeps. With {@link headersMax}, they take up to 1.5 times the memory. */
  readonly bytesMax: number;
}

/**
 * Closes connections whose clients have begun a request and do not finish its headers, once these take too much memory:
 * first those whose requests began first. Anybody can send such headers, on as many connections as the limit allows, and
 * Node.js waits a minute for the rest. Other clients send their headers in one packet, or nearly so.
 *
 * A check looks at every connection, so there is none until the memory can be exceeded: not while there are few
 * connections, nor before enough packets have arrived since the last check.
 */
export class UnfinishedHeaders {
  readonly #server: Server;
  readonly #onClosed: (socket: Socket) => void;
  readonly #bytesMax: number;
  #connections = 0;
  #interval: NodeJS.Timeout | undefined;
  /** The bytes that the last check left, and the events of the event loop until then. */
  #bytes = 0;
  #events = 0;

  constructor(server: Server, { onClosed, bytesMax }: UnfinishedHeadersOptions) {
    this.#server = server;
    this.#onClosed = onClosed;
    this.#bytesMax = bytesMax;
  }

  /** Begins to check as often as needed. Call it before there are connections. */
  begin(): void {
    this.#server.on('connection', (socket: Socket) => this.#follow(socket));
  }

  check(): void {
    const sockets = socketsWithinHeaders(this.#server);
    let bytes = 0;
    for (const socket of sockets) bytes += bytesAtMost(socket);
    for (const socket of sockets) {
      if (bytes <= this.#bytesMax) break;
      bytes -= bytesAtMost(socket);
      this.#onClosed(socket);
      socket.destroy();
    }
    this.#bytes = bytes;
  }

  #follow(socket: Socket): void {
    this.#connections += 1;
    if (this.#connections * headerBytesMax > this.#bytesMax)
      this.#interval ??= setInterval(() => this.#checkIfNeeded(), intervalMs).unref();
    socket.once('close', () => {
      this.#connections -= 1;
      if (this.#connections * headerBytesMax <= this.#bytesMax) this.#rest();
    });
  }

  #rest(): void {
    clearInterval(this.#interval);
    this.#interval = undefined;
  }

  #checkIfNeeded(): void {
    // Every packet is an event. Of each, no more is kept than one request's headers may have.
    const { events } = performance.nodeTiming.uvMetricsInfo;
    if (this.#bytes + (events - this.#events) * headerBytesMax <= this.#bytesMax) return;
    this.#events = events;
    this.check();
  }
}

/** The packet with the start of the headers may have been the end of another request, so this may be too much. */
function bytesAtMost({ bytesRead }: Socket): number {
  return Math.min(bytesRead, headerBytesMax);
}
