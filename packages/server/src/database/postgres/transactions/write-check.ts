import { sql } from 'kysely';
import { causesOf } from '../../../errors/causes-of.ts';
import { NotReadyError, type ReadinessCheck } from '../../../readiness/readiness-check.ts';
import type { Session } from '../../queries/session.ts';
import { codeOf } from '../errors/error-code.ts';
import { sqlStates } from '../errors/sql-states.ts';

export const takesNoWrites = 'it does not accept writes; make it writable, or fail over to a server that is';

/** Errors that writes meet on every node of the database, by their codes. */
const sharedFaults: Readonly<Record<string, string>> = {
  [sqlStates.readOnlySqlTransaction]: takesNoWrites,
  [sqlStates.insufficientPrivilege]: 'its role may not write; grant it its rights',
  [sqlStates.diskFull]: 'its disk is full; make room',
  [sqlStates.outOfMemory]: 'it is out of memory; give it more',
  [sqlStates.programLimitExceeded]: 'it takes no writes until it is vacuumed; see its log',
  [sqlStates.ioError]: 'its disk is failing; see its log',
  [sqlStates.undefinedFile]: 'one of its files is missing; see its log',
  [sqlStates.dataCorrupted]: 'its data is damaged; see its log',
  [sqlStates.indexCorrupted]: 'one of its indexes is damaged; see its log',
};

/**
 * Remembers the last fault that every node shares, until a write succeeds. A probe of its own would have to write,
 * because a database that cannot write still answers reads. When no client writes, the report of keys does so once a
 * minute.
 */
export class WriteCheck implements ReadinessCheck {
  readonly name = 'writes';
  /** `shared`, because reads continue and no other node could write either. */
  readonly scope = 'shared';
  #problem: NotReadyError | undefined;

  async probe(): Promise<undefined> {
    if (this.#problem !== undefined) throw this.#problem;
  }

  /**
   * Remembers a shared fault of a transaction, or that it wrote something. Passes the outcome on.
   *
   * @param run runs the transaction with the given work
   */
  async watch<T>(work: Work<T>, run: (work: Work<T>) => Promise<T>): Promise<T> {
    let wrote = false;
    const provingWork: Work<T> = async (session) => {
      const result = await work(session);
      wrote = await hasWritten(session);
      return result;
    };
    try {
      // Only while there is a problem, because the question costs a round trip.
      const result = await run(this.#problem === undefined ? work : provingWork);
      if (wrote) this.#problem = undefined;
      return result;
    } catch (error) {
      const problem = sharedFaults[innermostCodeOf(error)];
      if (problem !== undefined) this.#problem = new NotReadyError(problem, { cause: error });
      throw error;
    }
  }
}

type Work<T> = (session: Session) => Promise<T>;

/** Many transactions of maintenance find nothing to do. PostgreSQL commits them even if it can write nothing. */
async function hasWritten({ db }: Session): Promise<boolean> {
  const { rows } = await sql<{
    wrote: boolean;
  }>`select txid_current_if_assigned() is not null as wrote`.execute(db);
  return rows[0]?.wrote === true;
}

/** Returns the innermost code, which is that of the driver's error; '' without any. */
function innermostCodeOf(error: unknown): string {
  const codes = [...causesOf(error)].map(codeOf);
  return codes.findLast((code) => code !== '') ?? '';
}
