import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { BusyError, TooManyWaitError } from '../../../errors/busy-error.ts';
import { FairLane } from '../../../fairness/fair-lane.ts';
import { boundedWaitMs, currentTurn } from '../../../time/deadline.ts';

export interface FairConnectionsOptions {
  /** Connections of the pool that may be used at once. */
  readonly connections: number;
  /** How long a call waits for a connection, in milliseconds. */
  readonly waitMs: number;
  /** Whether a server was found that takes connections. */
  readonly isServing: () => boolean;
  /** The error's message for a call that waited too long, or for one call too many. */
  readonly busyMessage: string;
}

interface Waiter {
  readonly begin: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Waiting calls of one application, for each connection, while a queue persists. With the eight connections that writes
 * may use by default, 200 clients that write without pause fit.
 */
const standingPerConnection = 24;

/**
 * While an application floods them, one of its calls may wait for this many connections. A flood soon fills its place
 * when its turn has come, so a longer queue would complete no more of them; each would only wait longer.
 */
const connectionsPerFloodedCall = 4;

const burstMax = 4_096;

/**
 * How long a queue that was cut stays short. It is sometimes empty for a moment under overload, too; without this time,
 * it would then grow like a burst, and calls would wait for half a second again.
 */
const calmAfterMs = 1_000;

function tooManyWait(busyMessage: string): TooManyWaitError {
  return new TooManyWaitError(`${busyMessage}, and too many calls of this application are waiting`);
}

/** Returns how many connections writes may use at once. A quarter, but at least one, is left to reads. */
export function writeConnectionsMax(poolSize: number): number {
  return poolSize - Math.max(1, Math.floor(poolSize / 4));
}

/**
 * The part of a pool that one kind of work may use. Applications take turns.
 *
 * Writes wait for locks of other writes. If they could take every connection, reads, which wait for no lock, would queue
 * behind them. A single pool lets reads use all connections while nobody writes.
 */
export class FairConnections implements PostgresPool {
  readonly options = {};
  readonly #pool: PostgresPool;
  readonly #options: FairConnectionsOptions;
  readonly #waiting: FairLane<Waiter>;
  #free: number;

  constructor(pool: PostgresPool, options: FairConnectionsOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#free = options.connections;
    this.#waiting = new FairLane({
      burstMax,
      standingMax: standingPerConnection * options.connections,
      floodedMax: Math.ceil(options.connections / connectionsPerFloodedCall),
      calmAfterMs,
      refuse: ({ refuse }) => refuse(tooManyWait(options.busyMessage)),
    });
  }

  /** Calls that wait for a connection. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Returns whether so many calls of the application wait that another one must be refused at once, as the caller then
   * does.
   */
  isFullFor(owner: string): boolean {
    const isFull = this.#waiting.isFullFor(owner);
    if (isFull) this.#waiting.noteRefused(owner);
    return isFull;
  }

  /** @throws {BusyError} when other calls hold the connections for too long, or too many wait already */
  async connect(): Promise<PostgresPoolClient> {
    await this.#takeSlot();
    try {
      return this.#freeSlotWith(await this.#pool.connect());
    } catch (error) {
      if (!this.#options.isServing()) this.#refuseWaiting(error);
      this.#freeSlot();
      throw error;
    }
  }

  /** Ends the whole pool: a query builder that was never used would not end it. */
  async end(): Promise<void> {
    await this.#pool.end();
  }

  #takeSlot(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    const { owner, cost, patient } = currentTurn();
    const { waitMs, busyMessage } = this.#options;
    if (!patient && this.isFullFor(owner)) return Promise.reject(tooManyWait(busyMessage));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.remove(owner, waiter);
      reject(new BusyError(busyMessage));
    }, boundedWaitMs(waitMs));
    const settle = (then: () => void) => {
      clearTimeout(timer);
      then();
    };
    const waiter = {
      begin: () => settle(resolve),
      refuse: (error: unknown) => settle(() => reject(error)),
    };
    this.#waiting.add(owner, waiter, { cost, patient });
    return promise;
  }

  /** Refuses all waiting calls: without a server, each would wait for the connections to fail again. */
  #refuseWaiting(error: unknown): void {
    for (let waiter = this.#waiting.take(); waiter !== undefined; waiter = this.#waiting.take())
      waiter.refuse(error);
  }

  #freeSlot(): void {
    const next = this.#waiting.take();
    if (next === undefined) this.#free += 1;
    else next.begin();
  }

  #freeSlotWith(client: PostgresPoolClient): PostgresPoolClient {
    const release = () => {
      client.release();
      this.#freeSlot();
    };
    const query = (sql: string, parameters: readonly unknown[]) => client.query(sql, parameters);
    return { query, release } as unknown as PostgresPoolClient;
  }
}
