import type pg from 'pg';

/** The servers of one URL, and the choice among them. */
export interface Hosts {
  /** Number of servers. */
  readonly count: number;
  /** Their locations, without user and password, for messages. */
  readonly location: string;
  /** The connection string of the server in use; `undefined` while none is chosen. */
  current(): string | undefined;
  /** Chooses a server unless one is in use. Rejects when none is usable. */
  choose(): Promise<string>;
  /** Gives up a server, so that the next caller chooses again. */
  leave(connectionString: string): void;
  /**
   * Rejects when the server behind a new connection must not be used.
   *
   * @returns its timeline
   */
  admit(client: pg.ClientBase, connectionString: string): Promise<number>;
  /** Whether a connection that was admitted with this connection string, on this timeline, may still be used. */
  accepts(timeline: number, connectionString: string): boolean;
}

/** Timeline of a server that does not report one, or whose timeline does not matter. */
export const anyTimeline = Number.POSITIVE_INFINITY;
