import { OperatorError } from '../errors/operator-error.ts';
import type { BookkeepingTables } from './queries/bookkeeping/bookkeeping-tables.ts';
import type { Session } from './queries/session.ts';

/** A connection used by one copy alone, inside one transaction. */
export interface CopySession {
  readonly session: Session;
  /** The bookkeeping. On PostgreSQL, part of the same transaction. */
  readonly bookkeeping: BookkeepingTables;
  /** Location of the database, without a password. */
  readonly location: string;
  /**
   * Returns the time of the clock that dates claims and reports of servers, in Unix milliseconds. On PostgreSQL that is the
   * database's clock, because the clock of the machine that runs the copy may be wrong.
   */
  timeMs(): Promise<number>;
  commit(): Promise<void>;
  /** Closes the connection, which rolls back an uncommitted transaction. */
  close(): Promise<void>;
}

/** Something else is writing to the target of a copy. The copy has changed nothing. */
export class CopyUnderWayError extends OperatorError {
  override readonly name = 'CopyUnderWayError';

  /** @param location the target, without a password */
  constructor(location: string, options?: ErrorOptions) {
    super(
      `another process is writing to ${location}, perhaps another copy; nothing was changed: wait until it ends, then look at ` +
        'what the database contains',
      options,
    );
  }
}
