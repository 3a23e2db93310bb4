import type { Session } from './queries/session.ts';

/** A connection of a copy's own, inside one transaction. */
export interface CopySession {
  readonly session: Session;
  /** Where it is, without a password. */
  readonly location: string;
  commit(): Promise<void>;
  /** Ends the connection, and with it a transaction that was not committed. */
  close(): Promise<void>;
}

/** Something else writes to the target of a copy, which has changed nothing. */
export class CopyUnderWayError extends Error {
  override readonly name = 'CopyUnderWayError';

  /** @param location the target, without a password */
  constructor(location: string, options?: ErrorOptions) {
    super(
      `something else writes to ${location}, perhaps another copy; nothing was changed: wait for its end, then look at ` +
        'what the database holds',
      options,
    );
  }
}
