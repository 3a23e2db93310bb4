import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from '../answers/answered-next.ts';

/**
 * For each connection, the unanswered responses that had to wait when their requests came. One of them may be next by
 * now.
 */
export class WaitingResponses {
  readonly #waited = new WeakMap<Socket, Set<ServerResponse>>();

  add(response: ServerResponse, socket: Socket): void {
    const waited = this.#waited.get(socket) ?? new Set();
    this.#waited.set(socket, waited.add(response));
    response.once('close', () => waited.delete(response));
  }

  of(socket: Socket): ReadonlySet<ServerResponse> {
    return this.#waited.get(socket) ?? new Set();
  }

  /** Returns how many responses wait behind the one that is sent next. */
  countBehind(socket: Socket): number {
    const next = answeredNext(socket);
    const waited = this.of(socket);
    return waited.size - (next && waited.has(next) ? 1 : 0);
  }
}
