import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptedBytes } from '../answers/accepted-bytes.ts';
import { answeredNext } from '../answers/answered-next.ts';
import { heldBytes } from '../answers/held-bytes.ts';
import { requestBytes } from './memory-shares.ts';
import type { WaitingResponses } from './waiting-responses.ts';

const mebibyte = 1024 * 1024;

/** Memory for the answers that clients of a process leave unread, and for the requests behind them, in bytes. */
const unreadAnswersBytesMax = 64 * mebibyte;

/** How often to check, in milliseconds. A flood of unread answers takes up to 300 MB in a second. */
export const unreadCheckMs = 250;

/**
 * A client has read lately if the system took a part of its answer within this many checks, ten seconds. A slow client
 * needs seconds to free the third of the system's buffer that the next part takes.
 */
const latelyChecks = 10_000 / unreadCheckMs;

/** A client has just read if the system did so within this many checks, one second. */
const justChecks = 1_000 / unreadCheckMs;

/** The latest sight of a connection with an unread answer. */
interface Sight {
  readonly acceptedBytes: number;
  /** Whether the client has read within the last second. */
  readonly hasJustRead: boolean;
  /** Checks since the first one, or since the last one that found that the system had taken more. */
  readonly idleChecks: number;
}

interface UnreadConnection {
  readonly socket: Socket;
  readonly bytes: number;
  readonly hasReadLately: boolean;
  readonly hasJustRead: boolean;
}

interface UnreadAnswersOptions {
  /** Called for each connection before it is closed. */
  readonly onClosed: (socket: Socket) => void;
  readonly bytesMax?: number;
  /**
   * Memory for unread answers whose clients have read within the last second. It may be more, because one answer to a
   * large batch can exceed `bytesMax`.
   */
  readonly readBytesMax: number;
}

/**
 * Closes connections whose clients leave answers unread, once these take too much memory: first the ones that take
 * most. Anybody can ask for the largest page again and again without reading it, on as many connections as the limit
 * allows. Clients that read, however slowly, lose their connections last, and those that have read within the last
 * second only if all together take more than those may.
 */
export class UnreadAnswers {
  readonly #onClosed: (socket: Socket) => void;
  readonly #bytesMax: number;
  readonly #readBytesMax: number;
  /** The open connections, with the responses that wait on those of the same listener. */
  readonly #connections = new Map<Socket, WaitingResponses>();
  /** The connections with unread answers at the last check. */
  #seen = new WeakMap<Socket, Sight>();

  constructor({ onClosed, bytesMax = unreadAnswersBytesMax, readBytesMax }: UnreadAnswersOptions) {
    this.#onClosed = onClosed;
    this.#bytesMax = bytesMax;
    this.#readBytesMax = readBytesMax;
  }

  /** Counts the answers of one more listener. All listeners of a process share its memory. */
  follow(server: Server, waiting: WaitingResponses): void {
    server.on('connection', (socket) => {
      this.#connections.set(socket, waiting);
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  /** A connection counts only if the check before found unread answers on it too. */
  check(): void {
    const unread = this.#findUnread();
    let bytes = unread.reduce((sum, connection) => sum + connection.bytes, 0);
    if (bytes <= this.#bytesMax) return;
    const stalledFirst = unread.sort(
      (one, other) => standingOf(one) - standingOf(other) || other.bytes - one.bytes,
    );
    for (const connection of stalledFirst) {
      if (connection.hasJustRead && bytes <= this.#readBytesMax) continue;
      this.#onClosed(connection.socket);
      connection.socket.destroy();
      bytes -= connection.bytes;
      if (bytes <= this.#bytesMax) return;
    }
  }

  #findUnread(): UnreadConnection[] {
    const seen = this.#seen;
    this.#seen = new WeakMap();
    const unread: UnreadConnection[] = [];
    for (const [socket, waiting] of this.#connections) {
      // Bytes stay here only while the system's buffer has no room for them.
      const first = !socket.destroyed && socket.writableLength > 0 ? answeredNext(socket) : undefined;
      if (!first) continue;
      const before = seen.get(socket);
      const sight = sightOf(socket, before);
      this.#seen.set(socket, sight);
      if (before === undefined) continue;
      const hasReadLately = sight.idleChecks < latelyChecks;
      const { hasJustRead } = sight;
      unread.push({ socket, bytes: bytesOf(first, waiting.of(socket)), hasReadLately, hasJustRead });
    }
    return unread;
  }
}

function bytesOf(first: ServerResponse, waiting: ReadonlySet<ServerResponse>): number {
  let bytes = 0;
  for (const response of new Set(waiting).add(first)) bytes += requestBytes + heldBytes(response);
  return bytes;
}

/** Connections with a lower number are closed first. */
function standingOf({ hasReadLately, hasJustRead }: UnreadConnection): number {
  return Number(hasReadLately) + Number(hasJustRead);
}

function sightOf(socket: Socket, before: Sight | undefined): Sight {
  const accepted = acceptedBytes(socket);
  if (before === undefined) return { acceptedBytes: accepted, hasJustRead: false, idleChecks: 0 };
  const hasRead = accepted > before.acceptedBytes;
  const idleChecks = hasRead ? 0 : before.idleChecks + 1;
  const hasJustRead = hasRead || (before.hasJustRead && idleChecks < justChecks);
  return { acceptedBytes: accepted, hasJustRead, idleChecks };
}
