import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Holder, MemoryPool } from '../../fairness/memory-pool.ts';
import { answeredNext } from '../answers/answered-next.ts';

/** The unanswered responses of one connection that had to wait, with those who are charged for them. */
type Waited = Map<ServerResponse, Holder>;

/**
 * For each connection, the unanswered responses that had to wait when their requests came. One of them may be next by
 * now.
 */
export class WaitingResponses {
  readonly #waited = new WeakMap<Socket, Waited>();
  readonly max: number;
  /** Has a place for each response. */
  readonly #places: MemoryPool;

  /** @param max how many may wait on all connections */
  constructor(max: number) {
    this.max = max;
    this.#places = new MemoryPool(max);
  }

  /** All responses that wait, or waited and are not complete, on all connections. */
  get count(): number {
    return this.#places.taken;
  }

  /** Lets a response wait. Returns false when too many do, on all connections or on those of the holder. */
  tryAdd(response: ServerResponse, socket: Socket, holder: Holder): boolean {
    if (!this.#places.tryTake(1, holder)) return false;
    const waited = this.#waitedOn(socket);
    waited.set(response, holder);
    response.once('close', () => this.#remove(response, waited));
    return true;
  }

  #waitedOn(socket: Socket): Waited {
    const known = this.#waited.get(socket);
    if (known !== undefined) return known;
    const waited: Waited = new Map();
    this.#waited.set(socket, waited);
    // Node.js 24 and older do not close responses that wait behind an earlier one.
    socket.once('close', () => {
      for (const response of waited.keys()) this.#remove(response, waited);
    });
    return waited;
  }

  #remove(response: ServerResponse, waited: Waited): void {
    const holder = waited.get(response);
    if (holder === undefined) return;
    waited.delete(response);
    this.#places.give(1, holder);
  }

  of(socket: Socket): ReadonlySet<ServerResponse> {
    return new Set(this.#waited.get(socket)?.keys());
  }

  /** Returns how many responses wait behind the one that is sent next. */
  countBehind(socket: Socket): number {
    const next = answeredNext(socket);
    const waited = this.#waited.get(socket);
    if (waited === undefined) return 0;
    return waited.size - (next && waited.has(next) ? 1 : 0);
  }
}
