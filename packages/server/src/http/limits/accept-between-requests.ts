import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { wrapRequestListener } from '../wrap-request-listener.ts';
import type { Admission } from './admission.ts';
import type { WaitingBodies } from './waiting-bodies.ts';

/** Health checks that overtake other requests in one iteration. */
const healthChecksMax = 16;

/**
 * The queue is cut once this many of its places belong to requests that wait no longer, and they outnumber those that
 * wait.
 */
const takenPlacesMin = 1_024;

/** Maximum number of consecutive iterations that skip requests because each of them brought a new connection. */
const acceptingIterationsMax = 128;

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Keeps the server accepting connections however many requests are waiting.
 *
 * Node.js accepts one connection per iteration of its event loop, and handles every request that has arrived in the same
 * iteration. With thousands of busy clients an iteration takes a good part of a second, so the next thousand connections would
 * wait for minutes. While connections arrive, iterations that handle no requests alternate with iterations that handle a limited
 * number. Counts set the pace, not times: on an overloaded machine, most of any time passes while the process waits for
 * a core.
 *
 * @param admission decides which requests may wait
 * @param refuse answers those that may not
 * @param bodies counts the bodies of those that wait
 */
export function acceptBetweenRequests(
  app: FastifyInstance,
  admission: Admission,
  refuse: Responder,
  bodies: WaitingBodies,
): void {
  wrapRequestListener(app.server, (handle) => {
    const gate = new RequestGate(admission, { handle, refuse }, bodies);
    app.server.on('connection', () => gate.noteConnection());
    return (request, response) => gate.run(request, response);
  });
}

const healthPaths = ['/healthz', '/readyz'];

/** An overloaded server must not look like a dead one. */
function isHealthCheck({ url = '' }: IncomingMessage): boolean {
  return healthPaths.some(
    (path) => url.startsWith(path) && (url.length === path.length || url[path.length] === '?'),
  );
}

interface WaitingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

class RequestGate {
  readonly #admission: Admission;
  readonly #answers: Readonly<Record<'handle' | 'refuse', Responder>>;
  /** Requests left for later iterations, in order, starting at `#next`. */
  #waiting: (WaitingRequest | undefined)[] = [];
  #next = 0;
  readonly #bodies: WaitingBodies;
  #begun = false;
  #endIsDue = false;
  #accepted = false;
  #acceptingIterations = 0;
  /** Requests handled in this iteration. */
  #handled = 0;
  #healthChecks = 0;

  constructor(
    admission: Admission,
    answers: Readonly<Record<'handle' | 'refuse', Responder>>,
    bodies: WaitingBodies,
  ) {
    this.#admission = admission;
    this.#answers = answers;
    this.#bodies = bodies;
  }

  noteConnection(): void {
    this.#accepted = true;
    this.#expectEnd();
  }

  /** Answers a request now or in a later iteration. */
  run(request: IncomingMessage, response: ServerResponse): void {
    this.#expectEnd();
    if (this.#mayOvertake(request)) this.#handle(request, response);
    else if (!this.#accepted && !this.#isFull() && this.#isEmpty()) this.#handle(request, response);
    else if (this.#admission.admits(this.#count, this.#bodies.fits(request)))
      this.#add({ request, response });
    else this.#refuse({ request, response });
  }

  /** A few health checks in each iteration do not wait, because a node that answers late is taken for a dead one. */
  #mayOvertake(request: IncomingMessage): boolean {
    if (!isHealthCheck(request) || this.#healthChecks >= healthChecksMax) return false;
    this.#healthChecks += 1;
    return true;
  }

  #add(waiting: WaitingRequest): void {
    this.#waiting.push(waiting);
    this.#bodies.add(waiting.request);
  }

  #expectEnd(): void {
    if (this.#endIsDue) return;
    this.#endIsDue = true;
    if (!this.#begun) this.#admission.begin();
    this.#begun = true;
    setImmediate(() => this.#end());
  }

  #end(): void {
    this.#endIsDue = false;
    this.#admission.endIteration(this.#handled, this.#count);
    this.#handled = 0;
    this.#healthChecks = 0;
    this.#acceptingIterations = this.#accepted ? this.#acceptingIterations + 1 : 0;
    this.#accepted = false;
    if (this.#isEmpty()) return;
    this.#expectEnd();
    if (this.#acceptingIterations > 0 && this.#acceptingIterations < acceptingIterationsMax) return;
    this.#acceptingIterations = 0;
    for (let excess = this.#admission.takeExcess(this.#count); excess > 0; excess -= 1)
      this.#refuse(this.#takeNext());
    while (!this.#isEmpty() && !this.#isFull()) {
      const { request, response } = this.#takeNext();
      this.#handle(request, response);
    }
  }

  get #count(): number {
    return this.#waiting.length - this.#next;
  }

  #isEmpty(): boolean {
    return this.#count === 0;
  }

  #isFull(): boolean {
    return this.#handled >= this.#admission.requestsPerIteration;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.#handled += 1;
    this.#answers.handle(request, response);
  }

  #refuse({ request, response }: WaitingRequest): void {
    if (isHealthCheck(request)) this.#answers.handle(request, response);
    else this.#answers.refuse(request, response);
  }

  #takeNext(): WaitingRequest {
    const taken = this.#waiting[this.#next];
    if (taken === undefined) throw new RangeError('no request waits');
    // The place is emptied at once, because a request keeps its answer alive.
    this.#waiting[this.#next++] = undefined;
    this.#bodies.remove(taken.request);
    if (this.#isEmpty() || (this.#next >= takenPlacesMin && this.#next > this.#count)) {
      this.#waiting = this.#waiting.slice(this.#next);
      this.#next = 0;
    }
    return taken;
  }
}
