import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Admission } from './admission.ts';

/** Maximum number of consecutive turns that skip requests because each of them brought a new connection. */
const acceptingTurnsMax = 128;

type Refuse = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Keeps the server accepting connections however many requests are waiting.
 *
 * Node.js accepts one connection per turn of its event loop, and handles every request that has arrived in the same
 * turn. With thousands of busy clients a turn takes a good part of a second, so the next thousand connections would
 * wait for minutes. While connections arrive, turns that handle no requests alternate with turns that handle a limited
 * number. Counts set the pace, not times: on an overloaded machine, most of any time passes while the process waits for
 * a core.
 *
 * @param admission decides which requests may wait
 * @param refuse answers those that may not
 */
export function acceptBetweenRequests(app: FastifyInstance, admission: Admission, refuse: Refuse): void {
  const server = app.server;
  const [handle] = server.listeners('request');
  if (handle === undefined) throw new TypeError('the server has no request listener');
  const turns = new Turns(admission);
  server.removeAllListeners('request');
  server.on('connection', () => turns.noteConnection());
  server.on('request', (request, response) => {
    const work = () => handle.call(server, request, response);
    if (turns.run(work)) return;
    if (isHealthCheck(request)) work();
    else refuse(request, response);
  });
}

/** An overloaded server must not look like a dead one. */
function isHealthCheck({ url }: IncomingMessage): boolean {
  return url === '/healthz' || url === '/readyz';
}

class Turns {
  readonly #admission: Admission;
  /** Requests left for later turns, in order, starting at `#next`. */
  #waiting: (() => void)[] = [];
  #next = 0;
  #endIsDue = false;
  #accepted = false;
  #acceptingTurns = 0;
  /** Requests handled in this turn. */
  #handled = 0;

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  noteConnection(): void {
    this.#accepted = true;
    this.#expectEnd();
  }

  /** Runs work now or in a later turn. Returns whether it does. */
  run(work: () => void): boolean {
    this.#expectEnd();
    if (!this.#accepted && !this.#isFull() && this.#isEmpty()) {
      this.#handled += 1;
      work();
      return true;
    }
    if (!this.#admission.admits(this.#count)) return false;
    this.#waiting.push(work);
    return true;
  }

  get #count(): number {
    return this.#waiting.length - this.#next;
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
    this.#admission.endTurn(this.#count);
  }

  #isEmpty(): boolean {
    return this.#count === 0;
  }

  #isFull(): boolean {
    return this.#handled >= this.#admission.requestsPerTurn;
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
