import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import { answeredNext } from './answers/answered-next.ts';
import { wrapRequestListener } from './wrap-request-listener.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /**
     * Resolves once the requests before this one on its connection are answered, and rejects with 1503 if the connection
     * ends first. Absent if none was unanswered, or if all of them only read.
     */
    earlierAnswered?: Promise<void> | undefined;
  }
}

/**
 * Lets each request wait until those before it on its connection are answered, unless all of them only read. The
 * request is received and verified meanwhile; the pipeline then awaits `earlierAnswered`.
 *
 * Node.js begins the requests that a client sends ahead all at once. Two updates of a user could then take effect in
 * either order, and an update could miss the user that the request before it creates. Only safe methods may be handled
 * side by side (RFC 9112, section 9.3.2). Calls of the console do not await it, because no browser sends requests ahead.
 */
export function keepWriteOrder(server: Server): void {
  const orders = new WeakMap<Socket, Order>();
  wrapRequestListener(server, (handle) => (request, response) => {
    const { socket } = request;
    const first = answeredNext(socket);
    if (first && first !== response) {
      const order = orders.get(socket) ?? new Order(socket);
      orders.set(socket, order);
      order.add(request, response, first);
    }
    handle(request, response);
  });
}

/** The requests of a connection that were sent ahead. */
class Order {
  readonly #socket: Socket;
  /** Ends the wait of each request that waits for earlier ones. */
  readonly #ends = new Set<() => void>();
  /** The response to the one that came last; it may be sent by now. */
  #latest: ServerResponse | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      for (const end of this.#ends) end();
    });
  }

  /** @param first the response that the connection sends next */
  add(request: IncomingMessage, response: ServerResponse, first: ServerResponse): void {
    // Once the latest one here is answered, the only unanswered request is one that was not sent ahead.
    const before = this.#latest === undefined || this.#latest.closed ? first : this.#latest;
    this.#latest = response;
    const together = onlyReads(before.req) && onlyReads(request);
    request.earlierAnswered = together ? before.req.earlierAnswered : this.#whenAnswered(before);
  }

  /** Resolves once a request is answered, and rejects if its connection ends before that or with its answer. */
  #whenAnswered(before: ServerResponse): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = () => reject(connectionEnded());
    this.#ends.add(end);
    before.once('close', () => {
      this.#ends.delete(end);
      // After an answer that closes the connection, nobody would get the next one.
      if (this.#socket.writable) resolve();
      else end();
    });
    // Nobody awaits it if the request is refused first.
    promise.catch(() => {});
    return promise;
  }
}

/** Makes an error that no client receives. The log shows it. */
function connectionEnded(): ApiError {
  return new ApiError(1503, 'the connection ended before this request was begun; send it again');
}

function onlyReads({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}
