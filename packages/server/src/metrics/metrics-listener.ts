import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IdleConnections } from '../http/limits/idle-connections.ts';
import { hasBody, skipBodies } from '../http/parsing/skip-bodies.ts';
import { stopParsing } from '../http/parsing/stop-parsing.ts';
import { shareRunning } from '../time/share-running.ts';
import type { Exposition } from './metric-snapshot.ts';

/** Open connections; further ones are closed at once. A scraper needs one. */
const connectionsMax = 100;

/** How long a request may take to arrive, in milliseconds. Connections that take longer would keep a scraper out. */
const arrivalMsMax = 5_000;

/** How often Node.js looks for connections that have taken too long, in milliseconds; every 30 seconds by default. */
const arrivalCheckMs = 1_000;

/** How long an exposition is sent again, in milliseconds. Collecting it holds up the operations. */
const sharedMs = 1_000;

/** Serves `/metrics` on a separate address, which callers of the operations need not reach. */
export class MetricsListener {
  readonly #server: Server;
  /** Where Prometheus scrapes. */
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /**
   * @param address host and port, such as `127.0.0.1:9464` or `[::1]:9464`
   * @param nowMs a monotonic clock, in milliseconds
   * @throws when it cannot listen there, with the code of Node.js
   */
  static async start(
    address: string,
    expose: () => Promise<Exposition>,
    nowMs = () => performance.now(),
  ): Promise<MetricsListener> {
    const { hostname, port } = new URL(`http://${address}`);
    const collect = shareForAWhile(expose, nowMs);
    const timeouts = {
      headersTimeout: arrivalMsMax,
      requestTimeout: arrivalMsMax,
      connectionsCheckingInterval: arrivalCheckMs,
    };
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (isSentAhead(request, response)) refuseSentAhead(request);
      else if (hasBody(request)) end(response, 400, 'send no body\n');
      else void answer(request, response, collect);
    };
    const server = createServer(timeouts, serve);
    // Node.js would ask for the body before it passes the request on.
    server.on('checkContinue', serve);
    // Reading a body would hold up the operations, which share the event loop.
    skipBodies(server);
    server.maxConnections = connectionsMax;
    new IdleConnections(server, { max: connectionsMax, onClosed: () => {} }).begin();
    // An address with port 80 has no port in its URL.
    server.listen(Number(port === '' ? 80 : port), hostname.replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
    const listening = server.address() as AddressInfo;
    return new MetricsListener(server, `http://${hostname}:${listening.port}/metrics`);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Lets requests share an exposition: those that come while it is collected, and for a moment after that. */
function shareForAWhile(expose: () => Promise<Exposition>, nowMs: () => number): () => Promise<Exposition> {
  let last: Exposition | undefined;
  let untilMs = Number.NEGATIVE_INFINITY;
  const collect = shareRunning(async () => {
    last = await expose();
    untilMs = nowMs() + sharedMs;
    return last;
  });
  return async () => (last !== undefined && nowMs() < untilMs ? last : collect());
}

/**
 * Returns whether the connection has an unanswered request before this one. No scraper sends requests ahead, and Node.js
 * would begin thousands of them at once, which would hold up the operations for minutes.
 */
function isSentAhead({ socket }: IncomingMessage, response: ServerResponse): boolean {
  return response.socket !== socket;
}

/** Closing the connection is not enough: Node.js begins every request of a packet, of which 64 KiB hold thousands. */
function refuseSentAhead({ socket }: IncomingMessage): void {
  stopParsing(socket);
  socket.destroy();
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  expose: () => Promise<Exposition>,
): Promise<void> {
  if (url?.split('?')[0] !== '/metrics') return end(response, 404, 'the metrics are at /metrics\n');
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'send GET\n');
  try {
    const { contentType, text } = await expose();
    end(response, 200, text, contentType);
  } catch {
    end(response, 500, 'the metrics cannot be read\n');
  }
}

function end(response: ServerResponse, status: number, text: string, contentType = 'text/plain'): void {
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
