import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from '../answers/answered-next.ts';
import type { WaitingResponses } from './waiting-responses.ts';

/** Memory for the answers that clients of a listener leave unread, and for the requests behind them, in bytes. */
const unreadBytesMax = 64 * 1024 * 1024;

/** Rough memory of the objects for a request that waits behind an unread answer, in bytes. */
const requestBytes = 6 * 1024;

interface UnreadConnection {
  readonly socket: Socket;
  readonly bytes: number;
  /** Whether the last check found the same answer unread. */
  readonly again: boolean;
}

/**
 * Closes connections whose clients leave answers unread, once these take too much memory: first the ones that take
 * most. Anybody can ask for the largest page again and again without reading it, on as many connections as the limit
 * allows.
 */
export class UnreadAnswers {
  readonly #waiting: WaitingResponses;
  readonly #onClosed: (socket: Socket) => void;
  readonly #bytesMax: number;
  readonly #connections = new Set<Socket>();
  /** The answers that clients had not read at the last check. */
  #seen = new WeakSet<ServerResponse>();

  /** @param onClosed called for each connection before it is closed */
  constructor(
    waiting: WaitingResponses,
    { onClosed, bytesMax = unreadBytesMax }: { onClosed: (socket: Socket) => void; bytesMax?: number },
  ) {
    this.#waiting = waiting;
    this.#onClosed = onClosed;
    this.#bytesMax = bytesMax;
  }

  follow(server: Server): void {
    server.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** Call it at an interval. It closes a connection only if the check before found the same answer unread. */
  check(): void {
    const unread = this.#findUnread();
    let bytes = unread.reduce((sum, connection) => sum + connection.bytes, 0);
    if (bytes <= this.#bytesMax) return;
    const largestFirst = unread.filter(({ again }) => again).sort((one, other) => other.bytes - one.bytes);
    for (const connection of largestFirst) {
      this.#onClosed(connection.socket);
      connection.socket.destroy();
      bytes -= connection.bytes;
      if (bytes <= this.#bytesMax) return;
    }
  }

  #findUnread(): UnreadConnection[] {
    const seen = this.#seen;
    this.#seen = new WeakSet();
    const unread: UnreadConnection[] = [];
    for (const socket of this.#connections) {
      // The system takes more than a client that reads leaves. What it did not take waits here.
      const first = !socket.destroyed && socket.writableLength > 0 ? answeredNext(socket) : undefined;
      if (!first) continue;
      this.#seen.add(first);
      unread.push({ socket, bytes: this.#bytesOf(first, socket), again: seen.has(first) });
    }
    return unread;
  }

  #bytesOf(first: ServerResponse, socket: Socket): number {
    let bytes = first.writableLength;
    for (const response of this.#waiting.of(socket)) {
      bytes += requestBytes;
      if (response !== first) bytes += response.writableLength;
    }
    return bytes;
  }
}
