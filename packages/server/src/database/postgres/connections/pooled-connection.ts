import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { BusyError } from '../../../errors/busy-error.ts';
import { currentDeadline } from '../../../time/deadline.ts';
import { inSpan } from '../../../tracing/trace.ts';
import {
  faultOf,
  isMixedUp,
  isOutOfConnections,
  isReadTimeout,
  toBusyError,
} from '../errors/postgres-error.ts';
import { sqlStates } from '../errors/sql-states.ts';
import { retryAfterRace } from '../transactions/retry-after-race.ts';
import { startTransaction, TransactionStart } from '../transactions/transaction-start.ts';
import { networkGraceMs } from './client-config.ts';
import { isAnswering, type QueryToSend, sendQuery } from './send-query.ts';

export interface PooledConnectionParts {
  readonly location: string;
  readonly statementTimeoutMs: number;
  /** Whether the server at the other end may still be used. */
  readonly isCurrent: () => boolean;
  /** Called when the server has gone away. */
  readonly onLost: () => void;
}

interface Notice {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** The functions that were running, if any. */
  readonly where?: string | undefined;
}

/** How long a statement may continue in the database after its call has given up. */
const overrunMs = 1_000;

/** Answer for Kysely to a statement that need not be sent. */
const unsentAnswer = { rowCount: null, rows: [] };

/** Answer to a rollback on a connection that will be closed, since closing also undoes everything. */
const rolledBack = { ...unsentAnswer, command: 'ROLLBACK' };

/** The statement was not sent, and an open transaction ends with its connection, which will be closed. */
export class UnsentStatementError extends BusyError {}

/** The transaction is committed, but maybe not on the synchronous replica, so a failover could lose it. */
class UnreplicatedCommitError extends Error {
  override readonly name = 'UnreplicatedCommitError';
}

/**
 * A connection checked out of the pool. It is closed instead of returned if it broke, leads to a former primary, or was
 * left in the middle of a statement or a transaction.
 */
export class PooledConnection {
  readonly #client: pg.PoolClient;
  readonly #parts: PooledConnectionParts;
  /** The database's own statement time-out, in milliseconds; 0 means no limit. */
  #statementTimeoutMs: number;
  #unusable: unknown;
  readonly #start = new TransactionStart();

  constructor(client: pg.PoolClient, parts: PooledConnectionParts) {
    this.#client = client;
    this.#parts = parts;
    this.#statementTimeoutMs = parts.statementTimeoutMs;
  }

  /** @throws {BusyError} when the database cannot be reached, or the statement or the call is out of time */
  query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const attributes = { 'db.system.name': 'postgresql', 'db.query.text': sql };
    return inSpan('statement', attributes, () => this.#query(sql, parameters));
  }

  async #query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    const start = this.#start.waitBefore(sql);
    // Do not await without need: statements of one iteration of the event loop are then sent in their order, with one system call.
    if (start !== undefined) await this.#waitFor(start);
    const remainingMs = currentDeadline()?.remainingMs;
    const refusal = this.#refusal(remainingMs);
    if (refusal !== undefined) {
      // A rollback would wait behind the unanswered statement.
      if (sql === 'rollback') return rolledBack;
      throw refusal;
    }
    const unsent = this.#controlTransaction(sql);
    if (unsent !== undefined) return unsent;
    try {
      // Do not await without need: nothing may come between the bound, the statement and those that follow.
      const bound = sql === 'commit' || sql === 'rollback' ? undefined : this.#boundStatement(remainingMs);
      // The transaction may have begun with the bound. If that failed, a write sent after it would be committed alone.
      if (bound !== undefined && this.#start.waitBefore(sql) !== undefined) await bound;
      const query = {
        text: sql,
        values: parameters,
        ...nameOf(sql),
        timeoutMs: this.#answerLimit(remainingMs),
      };
      const send = () => this.#send(query);
      if (sql === 'commit') return await this.#sendCommit(send);
      if (this.#isIdle() && !this.#start.isWanted) return await retryAfterRace(send);
      if (bound === undefined) return await send();
      const [, result] = await Promise.all([bound, send()]);
      return result;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /**
   * Sends texts to a `COPY … FROM STDIN`, no faster than the database stores them.
   *
   * @throws {BusyError} when the database cannot be reached
   */
  async copyTexts(statement: string, texts: AsyncIterable<string>): Promise<void> {
    const refusal = this.#refusal(undefined);
    if (refusal !== undefined) throw refusal;
    try {
      await pipeline(texts, this.#client.query(copyFrom(statement)));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** A cancelled wait for the synchronous replica is answered like any commit, apart from a warning. */
  async #sendCommit(send: () => Promise<unknown>): Promise<unknown> {
    const warnings: string[] = [];
    const note = ({ code, message, where }: Notice) => {
      // Only the database's own code warns without a context: triggers have one, even those that the COMMIT runs.
      if (code === sqlStates.warning && where === undefined && isAnswering(this.#client, 'commit'))
        warnings.push(message ?? '');
    };
    this.#client.on('notice', note);
    try {
      const result = await send();
      if (warnings.length > 0) throw new UnreplicatedCommitError(warnings.join('; '));
      return result;
    } finally {
      this.#client.off('notice', note);
    }
  }

  release(): void {
    this.#client.release(this.#unusable !== undefined || this.#isLeftOpen());
  }

  /**
   * Returns whether the transaction is still open, because the statement that was to end it failed, say when the database
   * cancelled it. Only work without a time limit continues a transaction after it has given the connection back.
   */
  #isLeftOpen(): boolean {
    return this.#parts.statementTimeoutMs > 0 && this.#client.getTransactionStatus() !== 'I';
  }

  /** Begins a transaction with its next statement. Returns the answer of a statement that need not be sent. */
  #controlTransaction(sql: string): object | undefined {
    if (sql === startTransaction && this.#parts.statementTimeoutMs > 0) {
      this.#start.want();
      return { ...unsentAnswer, command: 'START TRANSACTION' };
    }
    if (!this.#start.isWanted || (sql !== 'commit' && sql !== 'rollback')) return undefined;
    this.#start.drop();
    return { ...unsentAnswer, command: sql.toUpperCase() };
  }

  /** @throws {UnsentStatementError} when the transaction that the statement belongs to did not begin */
  async #waitFor(start: Promise<unknown>): Promise<void> {
    try {
      await start;
    } catch (cause) {
      throw new UnsentStatementError('the first statement of the transaction failed', { cause });
    }
  }

  #send(query: QueryToSend): Promise<unknown> {
    return this.#start.isWanted ? this.#start.sendWith(this.#client, query) : sendQuery(this.#client, query);
  }

  #isIdle(): boolean {
    return this.#client.getTransactionStatus() === 'I' && !this.#start.isSent;
  }

  /**
   * Returns why no statement may be sent, or `undefined` when one may. A refusal within a transaction makes the
   * connection unusable, because only its end is sure to undo the transaction.
   */
  #refusal(remainingMs: number | undefined): UnsentStatementError | undefined {
    if (this.#unusable !== undefined) {
      if (this.#unusable instanceof UnsentStatementError) return this.#unusable;
      const { message } = this.#unusable as Error;
      return new UnsentStatementError(`the connection failed before: ${message}`, { cause: this.#unusable });
    }
    if (!this.#parts.isCurrent()) {
      const refusal = new UnsentStatementError(
        'the address of the database has led to a server that must not be used',
      );
      this.#unusable = refusal;
      return refusal;
    }
    if (remainingMs !== 0) return undefined;
    const refusal = new UnsentStatementError('the call ran out of time waiting for the database');
    if (!this.#isIdle()) this.#unusable = refusal;
    return refusal;
  }

  /** Limits how long the driver waits for the answer, because a hung server cancels no statement. */
  #answerLimit(remainingMs: number | undefined): number | undefined {
    if (remainingMs === undefined) return undefined;
    const { statementTimeoutMs } = this.#parts;
    const ownMs = statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : statementTimeoutMs + networkGraceMs;
    return Math.ceil(Math.min(ownMs, remainingMs));
  }

  /**
   * Makes the database cancel a statement whose call gives up before the usual limit. Otherwise the statement would
   * keep its locks, and a connection beyond the pool's size, after the call has been answered.
   */
  #boundStatement(remainingMs: number | undefined): Promise<unknown> | undefined {
    if (remainingMs === undefined || (this.#isIdle() && !this.#start.isWanted)) return undefined;
    const limitMs = this.#statementTimeoutMs === 0 ? Number.POSITIVE_INFINITY : this.#statementTimeoutMs;
    if (limitMs <= remainingMs + overrunMs) return undefined;
    this.#statementTimeoutMs = Math.ceil(remainingMs);
    return this.#send({
      text: `set local statement_timeout = ${this.#statementTimeoutMs}`,
      timeoutMs: this.#answerLimit(remainingMs),
    });
  }

  #fail(error: unknown): unknown {
    // The driver's trace leads to the socket; this one leads to the caller.
    if (error instanceof pg.DatabaseError) Error.captureStackTrace(error);
    const busy = toBusyError(error, this.#parts.location);
    if (isMixedUp(error)) this.#unusable = busy;
    if (faultOf(error) !== 'unavailable') return busy;
    this.#unusable = busy;
    // A statement that waits for a lock, or a server out of connections, is no reason to look for another server.
    if (!isReadTimeout(error) && !isOutOfConnections(error)) this.#parts.onLost();
    return busy;
  }
}

const names = new Map<string, string>();

/** Statements beyond this count are not prepared by name; only generated ones come near it. */
const namesMax = 500;

/** Returns a name, with which a connection parses and plans the statement only once. */
function nameOf(sql: string): { name?: string } {
  const known = names.get(sql);
  if (known !== undefined) return { name: known };
  if (names.size >= namesMax) return {};
  const name = `fieldroster_${names.size}`;
  names.set(sql, name);
  return { name };
}
