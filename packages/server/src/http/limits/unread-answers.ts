import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptedBytes } from '../answers/accepted-bytes.ts';
import { answeredNext } from '../answers/answered-next.ts';
import { heldBytes } from '../answers/held-bytes.ts';
import type { WaitingResponses } from './waiting-responses.ts';

/** Memory for the answers that clients of a listener leave unread, and for the requests behind them, in bytes. */
const unreadBytesMax = 64 * 1024 * 1024;

/** Rough memory of the objects for a request that waits behind an unread answer, in bytes. */
const requestBytes = 6 * 1024;

/**
 * Checks for which a connection counts as read after the system has taken some of its answer: ten seconds. The system
 * takes the next part when a third of its buffer is free, which takes a slow client seconds.
 */
const readingChecks = 40;

/** What a check found of an answer. */
interface Sight {
  readonly acceptedBytes: number;
  /** Checks since one found that the system had taken more. */
  readonly idleChecks: number;
}

interface UnreadConnection {
  readonly socket: Socket;
  readonly bytes: number;
  readonly isRead: boolean;
}

/**
 * Closes connections whose clients leave answers unread, once these take too much memory: first the ones that take
 * most. Anybody can ask for the largest page again and again without reading it, on as many connections as the limit
 * allows. Those of clients that read, however slowly, are closed last.
 */
export class UnreadAnswers {
  readonly #waiting: WaitingResponses;
  readonly #onClosed: (socket: Socket) => void;
  readonly #bytesMax: number;
  readonly #connections = new Set<Socket>();
  /** The answers that clients had not read at the last check. */
  #seen = new WeakMap<ServerResponse, Sight>();

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

  /** Call it at an interval. Answers count only if the check before found them unread too. */
  check(): void {
    const unread = this.#findUnread();
    let bytes = unread.reduce((sum, connection) => sum + connection.bytes, 0);
    if (bytes <= this.#bytesMax) return;
    const stalledFirst = unread.sort(
      (one, other) => Number(one.isRead) - Number(other.isRead) || other.bytes - one.bytes,
    );
    for (const connection of stalledFirst) {
      this.#onClosed(connection.socket);
      connection.socket.destroy();
      bytes -= connection.bytes;
      if (bytes <= this.#bytesMax) return;
    }
  }

  /** Returns the connections with an answer that was unread at the last check too. */
  #findUnread(): UnreadConnection[] {
    const seen = this.#seen;
    this.#seen = new WeakMap();
    const unread: UnreadConnection[] = [];
    for (const socket of this.#connections) {
      // The system takes more than a client that reads leaves. What it did not take waits here.
      const first = !socket.destroyed && socket.writableLength > 0 ? answeredNext(socket) : undefined;
      if (!first) continue;
      const before = seen.get(first);
      const sight = sightOf(socket, before);
      this.#seen.set(first, sight);
      if (before === undefined) continue;
      unread.push({
        socket,
        bytes: this.#bytesOf(first, socket),
        isRead: sight.idleChecks < readingChecks,
      });
    }
    return unread;
  }

  #bytesOf(first: ServerResponse, socket: Socket): number {
    let bytes = heldBytes(first);
    for (const response of this.#waiting.of(socket)) {
      bytes += requestBytes;
      if (response !== first) bytes += heldBytes(response);
    }
    return bytes;
  }
}

function sightOf(socket: Socket, before: Sight | undefined): Sight {
  const accepted = acceptedBytes(socket);
  if (before === undefined) return { acceptedBytes: accepted, idleChecks: Number.POSITIVE_INFINITY };
  const idleChecks = accepted > before.acceptedBytes ? 0 : before.idleChecks + 1;
  return { acceptedBytes: accepted, idleChecks };
}
