import type { Session } from '../session.ts';

/** Access to the tables of the bookkeeping; each engine's folder implements it. */
export interface BookkeepingTables {
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Runs work in a transaction.
   *
   * @param durability `durable` returns once the rows are on disk; `background` may lose them in a power cut
   */
  write<T>(work: (session: Session) => Promise<T>, durability: 'durable' | 'background'): Promise<T>;
}
