import type { CallRecords } from './call-records.ts';
import type { EntryCountHistory } from './entry-counts.ts';
import type { OperatorSessions } from './operators.ts';
import type { PasswordFailures } from './password-failures.ts';

/**
 * The server's records about itself. The embedded database keeps them in a second file, so that writing them does not
 * drop cached answers; PostgreSQL keeps them in tables of the same database. Losing them loses history and counts of
 * failed passwords, signs every operator out, and loses ends of sessions that are not yet in the audit.
 */
export interface Bookkeeping {
  readonly calls: CallRecords;
  readonly passwordFailures: PasswordFailures;
  readonly operatorSessions: OperatorSessions;
  readonly entryCounts: EntryCountHistory;
  /** Writes what waits for the next background transaction. Never rejects; rows that cannot be written keep waiting. */
  flush(): Promise<void>;
}
