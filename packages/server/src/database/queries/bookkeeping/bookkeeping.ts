import type { Bookkeeping } from '../../bookkeeping.ts';
import { BackgroundWriter, type BackgroundWriterOptions } from './background-writer.ts';
import type { BookkeepingTables } from './bookkeeping-tables.ts';
import { KyselyCallRecords } from './call-records.ts';
import { KyselyEntryCounts } from './entry-counts.ts';
import { KyselyOperatorSessions } from './operator-sessions.ts';
import { KyselyPasswordFailures } from './password-failures.ts';
import { SecretUses } from './secret-uses.ts';

/** The bookkeeping of either engine. A new table is a property here. */
export class KyselyBookkeeping implements Bookkeeping {
  readonly calls: KyselyCallRecords;
  readonly passwordFailures: KyselyPasswordFailures;
  readonly operatorSessions: KyselyOperatorSessions;
  readonly entryCounts: KyselyEntryCounts;
  readonly secretUses: SecretUses;
  readonly #writer: BackgroundWriter;

  /**
   * @param now estimates the database's clock, in Unix milliseconds
   * @param timeMs reads it
   */
  constructor(
    tables: BookkeepingTables,
    { now, timeMs }: { readonly now: () => number; readonly timeMs: () => Promise<number> },
    options: BackgroundWriterOptions,
  ) {
    this.#writer = new BackgroundWriter(tables, options);
    this.calls = new KyselyCallRecords(tables, this.#writer, timeMs);
    this.passwordFailures = new KyselyPasswordFailures(tables, now);
    this.operatorSessions = new KyselyOperatorSessions(tables);
    this.entryCounts = new KyselyEntryCounts(tables);
    this.secretUses = new SecretUses(tables, this.#writer);
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes what waits, and accepts no more. Never rejects. */
  close(): Promise<void> {
    return this.#writer.close();
  }
}
