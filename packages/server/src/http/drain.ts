import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextIteration } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answeredNext } from './answers/answered-next.ts';

const pollIntervalMs = 20;

/** Longest time spent accepting the connections in the listener's queue, in milliseconds. */
const acceptMsMax = 1_000;

export interface CloseOptions {
  /**
   * How long a connection must be quiet, in milliseconds, before it is closed without an answer that announces it. A
   * client that sends its next request sooner loses none.
   */
  readonly idleMs: number;
  /** Milliseconds after which connections are closed even with a request under way. */
  readonly timeoutMs: number;
}

/** Closes connections without losing requests in transit. */
export interface Drain {
  /** Whether this node is about to stop and proxies should send requests elsewhere. */
  isDraining(): boolean;
  /** Whether each connection should close with its next answer. */
  isClosing(): boolean;
  /** Makes `/readyz` fail. All requests are still served. */
  beginDraining(): void;
  /** Announces that the connection closes after this answer, once `closeConnections` was called. */
  announce(reply: FastifyReply): void;
  /** Closes the listener, and each connection after its next answer or once it is quiet. Resolves when none is left. */
  closeConnections(options: CloseOptions): Promise<void>;
}

/** @param onClosing called before the first connection is closed */
export function createDrain(app: FastifyInstance, onClosing: () => void = () => {}): Drain {
  const connections = new ConnectionWatch(app);
  let draining = false;
  let closing = false;
  return {
    isDraining: () => draining,
    isClosing: () => closing,
    beginDraining() {
      draining = true;
    },
    announce(reply) {
      if (closing) reply.header('Connection', 'close');
    },
    async closeConnections({ idleMs, timeoutMs }) {
      closing = true;
      onClosing();
      const deadline = performance.now() + timeoutMs;
      await connections.acceptWaiting();
      // `http.Server.close` would cut idle connections, to which a request may be in transit.
      TcpServer.prototype.close.call(app.server);
      while (connections.open > 0 && performance.now() < deadline) {
        await delay(pollIntervalMs);
        // Input is polled between the timer and this iteration, so a request that has arrived is known by now.
        await nextIteration();
        connections.closeQuiet(idleMs);
      }
      app.server.closeAllConnections();
    },
  };
}

interface Activity {
  bytesRead: number;
  sinceMs: number;
}

/**
 * Tracks open connections. It replaces `server.closeIdleConnections`, which cuts answers whose last bytes wait for a slow
 * reader, and keeps connections that never sent anything.
 */
class ConnectionWatch {
  readonly #all = new Set<Socket>();
  readonly #activity = new WeakMap<Socket, Activity>();
  #accepted = 0;

  constructor(app: FastifyInstance) {
    app.server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      this.#all.add(socket);
      socket.once('close', () => this.#all.delete(socket));
    });
  }

  get open(): number {
    return this.#all.size;
  }

  /**
   * Accepts the connections in the listener's queue. Closing the listener would reset them, along with any request
   * already sent on them. One that arrives between the last poll and the close is still reset: no system call stops new
   * connections and keeps the queue. A load balancer can prevent it by sending clients elsewhere during `--drain`.
   */
  async acceptWaiting(): Promise<void> {
    const deadline = performance.now() + acceptMsMax;
    let before = -1;
    while (before !== this.#accepted && performance.now() < deadline) {
      before = this.#accepted;
      // The first iteration may end before the next poll for connections; the second cannot.
      await nextIteration();
      await nextIteration();
    }
  }

  /** Closes each connection that has no request under way and has received nothing for `idleMs`. */
  closeQuiet(idleMs: number): void {
    for (const socket of this.#all) {
      if (!isAnswering(socket) && this.#quietMs(socket) >= idleMs) socket.destroy();
    }
  }

  /** Returns how long the connection has received nothing. The first call for a connection starts the count. */
  #quietMs(socket: Socket): number {
    const known = this.#activity.get(socket);
    const nowMs = performance.now();
    if (known?.bytesRead === socket.bytesRead) return nowMs - known.sinceMs;
    this.#activity.set(socket, { bytesRead: socket.bytesRead, sinceMs: nowMs });
    return 0;
  }
}

/**
 * Returns whether a request on this connection has no complete answer. Hooks for every request would tell too, but take
 * 3 % of the time of a user query.
 */
function isAnswering(socket: Socket): boolean {
  return Boolean(answeredNext(socket));
}
