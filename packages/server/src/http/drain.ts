import { type Socket, Server as TcpServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';

const pollIntervalMs = 20;

/** Longest time for accepting the connections that wait in the listener's queue. */
const acceptMsMax = 1_000;

export interface CloseOptions {
  /**
   * Milliseconds for which a connection must be quiet before it is closed without an answer that announces
   * it. A client that sends its next request sooner loses none.
   */
  readonly idleMs: number;
  /** Milliseconds after which connections are closed even if a request is under way on them. */
  readonly timeoutMs: number;
}

/** Ends connections without losing a request that is on its way. */
export interface Drain {
  /** Whether this node is about to stop, so that proxies should send their requests elsewhere. */
  isDraining(): boolean;
  /** Makes `/readyz` fail. Everything is still served. */
  beginDraining(): void;
  /** Tells the client that the connection closes with this answer, once `closeConnections` was called. */
  announce(reply: FastifyReply): void;
  /**
   * Closes the listener, and each connection with its next answer or once it is quiet. Resolves when none
   * is left.
   */
  closeConnections(options: CloseOptions): Promise<void>;
}

export function createDrain(app: FastifyInstance): Drain {
  const connections = new ConnectionWatch(app);
  let draining = false;
  let closing = false;
  return {
    isDraining: () => draining,
    beginDraining() {
      draining = true;
    },
    announce(reply) {
      if (closing) reply.header('Connection', 'close');
    },
    async closeConnections({ idleMs, timeoutMs }) {
      closing = true;
      const deadline = performance.now() + timeoutMs;
      await connections.acceptWaiting();
      // The close of HTTP's own server would cut idle connections, on which a request may be under way.
      TcpServer.prototype.close.call(app.server);
      while (connections.open > 0 && performance.now() < deadline) {
        await delay(pollIntervalMs);
        // After a timer comes the poll for input, then this turn: a request that has arrived is known by now.
        await nextTurn();
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
 * Knows the open connections and those with a request under way. `server.closeIdleConnections` would not do:
 * it cuts answers whose last bytes wait for a slow reader, and leaves connections that never sent anything.
 */
class ConnectionWatch {
  readonly #all = new Set<Socket>();
  /** Requests without a complete answer; a client may send several at once. */
  readonly #requests = new Map<Socket, number>();
  readonly #activity = new WeakMap<Socket, Activity>();
  #accepted = 0;

  constructor(app: FastifyInstance) {
    app.server.on('connection', (socket: Socket) => {
      this.#accepted += 1;
      this.#all.add(socket);
      socket.once('close', () => {
        this.#all.delete(socket);
        this.#requests.delete(socket);
      });
    });
    app.addHook('onRequest', (request, _reply, done) => {
      this.#count(request.raw.socket, 1);
      done();
    });
    // Runs when the system has taken the last byte of the answer.
    app.addHook('onResponse', (request, _reply, done) => {
      this.#count(request.raw.socket, -1);
      done();
    });
  }

  get open(): number {
    return this.#all.size;
  }

  /** Connections still in the listener's queue would be reset with it, whatever their clients have sent. */
  async acceptWaiting(): Promise<void> {
    const deadline = performance.now() + acceptMsMax;
    let before = -1;
    while (before !== this.#accepted && performance.now() < deadline) {
      before = this.#accepted;
      // The first turn may end before the next poll for connections, the second one cannot.
      await nextTurn();
      await nextTurn();
    }
  }

  /** Closes each connection without a request that has received nothing for the time. */
  closeQuiet(idleMs: number): void {
    for (const socket of this.#all) {
      if (!this.#requests.get(socket) && this.#quietMs(socket) >= idleMs) socket.destroy();
    }
  }

  #count(socket: Socket, change: 1 | -1): void {
    if (this.#all.has(socket)) this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + change);
  }

  /** How long nothing was received, counted from the first look at the connection. */
  #quietMs(socket: Socket): number {
    const known = this.#activity.get(socket);
    const nowMs = performance.now();
    if (known?.bytesRead === socket.bytesRead) return nowMs - known.sinceMs;
    this.#activity.set(socket, { bytesRead: socket.bytesRead, sinceMs: nowMs });
    return 0;
  }
}
