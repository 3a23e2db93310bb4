import type pg from 'pg';
import { currentDeadline } from '../../deadline.ts';
import { DatabaseBusyError } from '../database.ts';
import { networkGraceMs } from './client-config.ts';
import { faultOf, isShortage, isSilence, toBusyError } from './postgres-error.ts';
import { retryAfterRace } from './retry-after-race.ts';

export interface PooledConnectionParts {
  readonly location: string;
  readonly statementTimeoutMs: number;
  /** Whether the server at the other end may still be used. */
  readonly isCurrent: () => boolean;
  /** Learns that the server went away. */
  readonly onLost: () => void;
}

/** By how much the database may go on after the call has given up. */
const overrunMs = 1_000;

/** What Kysely gets for a rollback on a connection that will be closed, which undoes everything as well. */
const rolledBack = { command: 'ROLLBACK', rowCount: null, rows: [] };

/**
 * A connection that is checked out of the pool. One that broke, leads to a former primary, or was left in the
 * middle of a statement is closed instead of kept.
 */
export class PooledConnection {
  readonly #client: pg.PoolClient;
  readonly #parts: PooledConnectionParts;
  /** What the database itself allows a statement, in milliseconds; 0 is no limit. */
  #statementTimeoutMs: number;
  #unusable: unknown;

  constructor(client: pg.PoolClient, parts: PooledConnectionParts) {
    this.#client = client;
    this.#parts = parts;
    this.#statementTimeoutMs = parts.statementTimeoutMs;
  }

  /** @throws {DatabaseBusyError} when the database is away, or the time of the statement or of the call is over */
  async query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const remainingMs = currentDeadline()?.remainingMs;
    const refusal = this.#refusal(remainingMs);
    if (refusal !== undefined) {
      // A rollback would wait behind the statement that nobody answers.
      if (sql === 'rollback') return rolledBack;
      throw refusal;
    }
    try {
      if (sql !== 'commit' && sql !== 'rollback') await this.#boundStatement(remainingMs);
      const query = { text: sql, values: [...parameters], ...nameOf(sql), ...this.#answerLimit(remainingMs) };
      const send = () => this.#client.query(query);
      return await (this.#isIdle() ? retryAfterRace(send) : send());
    } catch (error) {
      throw this.#fail(error);
    }
  }

  release(): void {
    this.#client.release(this.#unusable !== undefined);
  }

  #isIdle(): boolean {
    return this.#client.getTransactionStatus() === 'I';
  }

  /** Why nothing more may be sent; a transaction that was begun ends with the connection. */
  #refusal(remainingMs: number | undefined): unknown {
    if (this.#unusable !== undefined) return this.#unusable;
    if (!this.#parts.isCurrent()) {
      this.#unusable = new DatabaseBusyError('the connection leads to a former primary');
      return this.#unusable;
    }
    if (remainingMs !== 0) return undefined;
    const refusal = new DatabaseBusyError('the call waited for the database for as long as it may');
    if (!this.#isIdle()) this.#unusable = refusal;
    return refusal;
  }

  /** How long the driver waits for the answer: a server that hangs cancels no statement. */
  #answerLimit(remainingMs: number | undefined): { query_timeout?: number } {
    if (remainingMs === undefined) return {};
    const { statementTimeoutMs } = this.#parts;
    const ownMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + networkGraceMs;
    return { query_timeout: Math.ceil(Math.min(ownMs, remainingMs)) };
  }

  /**
   * Has the database itself cancel a statement whose call gives up before the usual limit. Otherwise the statement
   * would keep its locks, and a connection beyond the size of the pool, after the call has been answered.
   */
  async #boundStatement(remainingMs: number | undefined): Promise<void> {
    if (remainingMs === undefined || this.#client.getTransactionStatus() !== 'T') return;
    const limitMs = this.#statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : this.#statementTimeoutMs;
    if (limitMs <= remainingMs + overrunMs) return;
    this.#statementTimeoutMs = Math.ceil(remainingMs);
    await this.#client.query({
      text: `set local statement_timeout = ${this.#statementTimeoutMs}`,
      ...this.#answerLimit(remainingMs),
    });
  }

  #fail(error: unknown): unknown {
    const busy = toBusyError(error, this.#parts.location);
    if (faultOf(error) !== 'unavailable') return busy;
    this.#unusable = busy;
    // Neither a statement that waits for a lock nor a server without room for more is a reason to look for another.
    if (!isSilence(error) && !isShortage(error)) this.#parts.onLost();
    return busy;
  }
}

const names = new Map<string, string>();

/** Statements beyond this count are not kept prepared; only generated ones come near. */
const namesMax = 500;

/** A statement with a name is parsed and planned once for each connection. */
function nameOf(sql: string): { name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= namesMax) return {};
  const name = `fieldroster_${names.size}`;
  names.set(sql, name);
  return { name };
}
