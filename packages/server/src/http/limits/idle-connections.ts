import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from '../answers/answered-next.ts';
import { connectionsOf } from '../parsing/connections-of.ts';

/** How often the connections are looked at while they are many, in milliseconds. */
const intervalMs = 1_000;

/** A connection that has been quiet for less time, in milliseconds, may have a request on its way. */
const quietMsMin = 1_000;

/** The part of the places that may be taken without a look at the connections. */
const unwatchedPart = 3 / 4;

interface IdleConnectionsOptions {
  /** The places: how many connections of the server may be open. */
  readonly max: number;
  /** Called for each connection before it is closed. */
  readonly onClosed: (socket: Socket) => void;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs?: () => number;
}

/** The result of the last look at a connection. */
interface Sight {
  readonly bytesRead: number;
  /** Whether a request was under way. */
  readonly isBusy: boolean;
  /** Since when the connection has received nothing and has had no request under way. */
  readonly quietSinceMs: number;
}

/**
 * Lets idle connections give way to newcomers: once the last place is taken, closes the connection that has been idle
 * longest, so that the next client finds a place. Anybody can open connections and leave them idle, and the system
 * accepts a newcomer only if there is a place already.
 *
 * It looks at the connections once a second, and only while many are open, because noting each request would take 3 % of
 * the time of a user query.
 */
export class IdleConnections {
  readonly #server: Server;
  readonly #options: IdleConnectionsOptions;
  readonly #nowMs: () => number;
  readonly #open = new Set<Socket>();
  #sights = new Map<Socket, Sight>();
  /** The connections that may be closed, the one that has been idle longest last; undefined after a look. */
  #candidates: Socket[] | undefined;
  #interval: NodeJS.Timeout | undefined;

  constructor(server: Server, options: IdleConnectionsOptions) {
    this.#server = server;
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Begins to make room. Call it before there are connections. */
  begin(): void {
    this.#server.on('connection', (socket: Socket) => this.#follow(socket));
  }

  /** Looks at the connections, and makes room if there is none. */
  check(): void {
    const within = this.#socketsWithinRequests();
    // Without the list, any connection may be in the middle of a request.
    if (within === undefined) return;
    const nowMs = this.#nowMs();
    const sights = new Map<Socket, Sight>();
    for (const socket of this.#open) {
      const { bytesRead } = socket;
      const before = this.#sights.get(socket);
      const isBusy = within.has(socket) || Boolean(answeredNext(socket));
      // A request that was under way then may have been answered just now.
      const isQuiet = before?.bytesRead === bytesRead && !before.isBusy && !isBusy;
      sights.set(socket, { bytesRead, isBusy, quietSinceMs: isQuiet ? before.quietSinceMs : nowMs });
    }
    this.#sights = sights;
    this.#candidates = undefined;
    this.#makeRoom();
  }

  #follow(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (this.#isCrowded()) this.#interval ??= setInterval(() => this.check(), intervalMs).unref();
    this.#makeRoom();
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#sights.delete(socket);
    if (this.#isCrowded()) return;
    clearInterval(this.#interval);
    this.#interval = undefined;
    this.#sights.clear();
    this.#candidates = undefined;
  }

  #isCrowded(): boolean {
    return this.#open.size >= this.#options.max * unwatchedPart;
  }

  #makeRoom(): void {
    if (this.#open.size < this.#options.max) return;
    const idlest = this.#takeIdlest();
    if (idlest === undefined) return;
    this.#open.delete(idlest);
    this.#options.onClosed(idlest);
    idlest.destroy();
  }

  #takeIdlest(): Socket | undefined {
    this.#candidates ??= this.#findCandidates();
    for (let socket = this.#candidates.pop(); socket !== undefined; socket = this.#candidates.pop()) {
      const isStillIdle = socket.bytesRead === this.#sights.get(socket)?.bytesRead && !answeredNext(socket);
      if (isStillIdle && !socket.destroyed) return socket;
    }
    return undefined;
  }

  #findCandidates(): Socket[] {
    const latestMs = this.#nowMs() - quietMsMin;
    return [...this.#sights]
      .filter(([, { quietSinceMs }]) => quietSinceMs <= latestMs)
      .sort(([, one], [, other]) => one.quietSinceMs - other.quietSinceMs)
      .map(([socket]) => socket)
      .reverse();
  }

  /** Returns the connections on which a request has begun and has not been read to its end. */
  #socketsWithinRequests(): ReadonlySet<Socket> | undefined {
    const active = connectionsOf(this.#server)?.active();
    if (active === undefined) return undefined;
    const within = new Set<Socket>();
    // The list also has the connections that wait for their first request.
    for (const { socket } of active) if (socket !== null && socket.bytesRead > 0) within.add(socket);
    return within;
  }
}
