import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answeredNext } from '../answers/answered-next.ts';

/**
 * For each connection, the unanswered responses that had to wait when their requests came. One of them may be next by
 * now.
 */
export class WaitingResponses {
  readonly #waited = new WeakMap<Socket, Set<ServerResponse>>();
  readonly max: number;
  #count = 0;

  /** @param max how many may wait on all connections */
  constructor(max: number) {
    this.max = max;
  }

  /** All responses that wait, or waited and are not complete, on all connections. */
  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= this.max;
  }

  add(response: ServerResponse, socket: Socket): void {
    this.#waitedOn(socket).add(response);
    this.#count += 1;
    response.once('close', () => {
      if (this.#waited.get(socket)?.delete(response) === true) this.#count -= 1;
    });
  }

  #waitedOn(socket: Socket): Set<ServerResponse> {
    const known = this.#waited.get(socket);
    if (known !== undefined) return known;
    const waited = new Set<ServerResponse>();
    this.#waited.set(socket, waited);
    // Node.js does not close responses that wait behind an earlier one.
    socket.once('close', () => {
      this.#count -= waited.size;
      waited.clear();
    });
    return waited;
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
