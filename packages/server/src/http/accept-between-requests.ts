import type { FastifyInstance } from 'fastify';

/** Maximum number of requests handled in one turn of the event loop. */
const requestsPerTurn = 128;

/** Maximum number of consecutive turns that skip requests because each of them brought a new connection. */
const acceptingTurnsMax = 128;

/**
 * Keeps the server accepting connections however many requests are waiting.
 *
 * Node.js accepts one connection per turn of its event loop, and handles every request that has arrived in the same
 * turn. With thousands of busy clients a turn takes a good part of a second, so the next thousand connections would
 * wait for minutes. While connections arrive, turns that handle no requests alternate with turns that handle a limited
 * number. Counts set the pace, not times: on an overloaded machine, most of any time passes while the process waits for
 * a core.
 */
export function acceptBetweenRequests(app: FastifyInstance): void {
  const server = app.server;
  const [handle] = server.listeners('request');
  if (handle === undefined) throw new TypeError('the server has no request listener');
  const turns = new Turns();
  server.removeAllListeners('request');
  server.on('connection', () => turns.noteConnection());
  server.on('request', (request, response) => turns.run(() => handle.call(server, request, response)));
}

class Turns {
  /** Requests left for later turns, in order, starting at `#next`. */
  #waiting: (() => void)[] = [];
  #next = 0;
  #endIsDue = false;
  #accepted = false;
  #acceptingTurns = 0;
  /** Requests handled in this turn. */
  #handled = 0;

  noteConnection(): void {
    this.#accepted = true;
    this.#expectEnd();
  }

  run(work: () => void): void {
    this.#expectEnd();
    if (this.#accepted || this.#isFull() || !this.#isEmpty()) {
      this.#waiting.push(work);
    } else {
      this.#handled += 1;
      work();
    }
  }

  #expectEnd(): void {
    if (this.#endIsDue) return;
    this.#endIsDue = true;
    setImmediate(() => this.#end());
  }

  #end(): void {
    this.#endIsDue = false;
    this.#handled = 0;
    this.#acceptingTurns = this.#accepted ? this.#acceptingTurns + 1 : 0;
    this.#accepted = false;
    if (this.#isEmpty()) return;
    this.#expectEnd();
    if (this.#acceptingTurns > 0 && this.#acceptingTurns < acceptingTurnsMax) return;
    this.#acceptingTurns = 0;
    while (!this.#isEmpty() && !this.#isFull()) this.#takeNext()?.();
  }

  #isEmpty(): boolean {
    return this.#next === this.#waiting.length;
  }

  #isFull(): boolean {
    return this.#handled >= requestsPerTurn;
  }

  #takeNext(): (() => void) | undefined {
    this.#handled += 1;
    const work = this.#waiting[this.#next++];
    if (this.#isEmpty()) {
      this.#waiting = [];
      this.#next = 0;
    }
    return work;
  }
}
