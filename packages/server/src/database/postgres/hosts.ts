import type pg from 'pg';

/** The servers of one URL, and which of them is used. */
export interface Hosts {
  /** How many there are. */
  readonly count: number;
  /** Where they are, without user and password, for messages. */
  readonly location: string;
  /** The connection string of the server in use; `undefined` while none is chosen. */
  current(): string | undefined;
  /** Chooses one, unless one is in use. Rejects when none can be used. */
  choose(): Promise<string>;
  /** Gives up a server, so that the next one who asks chooses again. */
  leave(connectionString: string): void;
  /**
   * Rejects when the server at the other end of a new connection must not be used.
   *
   * @returns its timeline
   */
  admit(client: pg.ClientBase, connectionString: string): Promise<number>;
  /** Whether a connection that was admitted on this timeline may still be used. */
  accepts(timeline: number): boolean;
}

/** Stands for the timeline of a server that does not tell it, or whose timeline does not matter. */
export const anyTimeline = Number.POSITIVE_INFINITY;
