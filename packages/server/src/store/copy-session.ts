import type { Session } from './kysely/session.ts';

/** A connection of a copy's own, inside one transaction. */
export interface CopySession {
  readonly session: Session;
  /** Where it is, without a password. */
  readonly place: string;
  commit(): Promise<void>;
  /** Ends the connection, and with it a transaction that was not committed. */
  close(): Promise<void>;
}
