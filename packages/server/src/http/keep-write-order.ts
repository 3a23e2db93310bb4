import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from './answers/answered-next.ts';
import { wrapRequestListener } from './wrap-request-listener.ts';

/**
 * Begins a request only once those before it on its connection are answered, unless all of them only read.
 *
 * Node.js begins the requests that a client sends ahead all at once. Two updates of a user could then take effect in
 * either order, and an update could miss the user that the request before it creates. Only safe methods may be handled
 * side by side (RFC 9112, section 9.3.2).
 */
export function keepWriteOrder(server: Server): void {
  const queues = new WeakMap<Socket, Queue>();
  wrapRequestListener(server, (handle) => (request, response) => {
    const { socket } = request;
    const first = answeredNext(socket);
    if (first === response || !first) {
      handle(request, response);
      return;
    }
    const queue = queues.get(socket) ?? new Queue(handle);
    queues.set(socket, queue);
    queue.add({ request, response }, first);
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of one connection that came while another was unanswered. */
class Queue {
  readonly #handle: RequestListener;
  readonly #waiting: Exchange[] = [];
  /** The one that began last; it may be answered by now. */
  #last: ServerResponse | undefined;

  constructor(handle: RequestListener) {
    this.#handle = handle;
  }

  /** @param first the response that the connection sends next */
  add(exchange: Exchange, first: ServerResponse): void {
    this.#waiting.push(exchange);
    if (this.#waiting.length > 1) return;
    // If the last one of this queue is answered, only a request that did not have to queue is unanswered.
    this.#beginAfter(this.#last === undefined || this.#last.closed ? first : this.#last);
  }

  #beginAfter(before: ServerResponse): void {
    let last = before;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      // The connection ends after the answer before, so nobody would get this one.
      if (!next.request.socket.writable) return;
      if (!last.closed && !(onlyReads(last.req) && onlyReads(next.request))) {
        last.once('close', () => this.#beginAfter(last));
        return;
      }
      this.#waiting.shift();
      last = next.response;
      this.#last = last;
      this.#handle(next.request, next.response);
    }
  }
}

function onlyReads({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
