import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { BackupLease, Backups, GoodBackup } from '../../backups.ts';
import type { Session, Transact } from '../session.ts';

const rowName = 'schedule';

/** The holder after a backup that was made. After a failed attempt, the row keeps the holder that failed. */
const nobody = '';

/** Reads and changes the row of the backup schedule, on either engine. */
export class KyselyBackups implements Backups {
  readonly #reader: Session;
  readonly #transact: Transact;
  readonly #now: () => number;

  /** @param now Unix milliseconds */
  constructor(reader: Session, transact: Transact, now: () => number) {
    this.#reader = reader;
    this.#transact = transact;
    this.#now = now;
  }

  async takeLease(lease: BackupLease): Promise<boolean> {
    const { holder, leaseMs } = lease;
    const nowMs = this.#now();
    // Processes ask often, so look before writing.
    if (!(await this.#mayTakeLease(lease, nowMs))) return false;
    return this.#transact(async ({ db }) => {
      const { numUpdatedRows } = await db
        .updateTable('backup_state')
        .set({ holder, lease_until: BigInt(nowMs + leaseMs), tried_at: BigInt(nowMs) })
        .where('name', '=', rowName)
        .where(isDue(lease, nowMs))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  extendLease({ holder, leaseMs }: BackupLease): Promise<boolean> {
    return this.#setLease(holder, this.#now() + leaseMs);
  }

  async endLease(holder: string, isMade: boolean): Promise<void> {
    await this.#setLease(holder, 0, isMade ? { holder: nobody } : {});
  }

  async recordGood({ atMs, file, bytes }: GoodBackup): Promise<void> {
    await this.#transact(({ db }) =>
      db
        .updateTable('backup_state')
        .set({ good_at: BigInt(atMs), good_file: file, good_bytes: BigInt(bytes) })
        .where('name', '=', rowName)
        .execute(),
    );
  }

  lastGood(): Promise<GoodBackup | undefined> {
    return readLastGood(this.#reader);
  }

  async #mayTakeLease(lease: BackupLease, nowMs: number): Promise<boolean> {
    const row = await this.#reader.db
      .selectFrom('backup_state')
      .select('name')
      .where(isDue(lease, nowMs))
      .executeTakeFirst();
    return row !== undefined;
  }

  #setLease(holder: string, untilMs: number, more: { holder?: string } = {}): Promise<boolean> {
    return this.#transact(async ({ db }) => {
      const { numUpdatedRows } = await db
        .updateTable('backup_state')
        .set({ lease_until: BigInt(untilMs), ...more })
        .where('name', '=', rowName)
        .where('holder', '=', holder)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }
}

/** Returns whether a backup is due, and nobody has the lease. */
function isDue({ everyMs, filesLike, retryMs, leaseMs }: BackupLease, nowMs: number): RawBuilder<SqlBool> {
  // A process whose clock is near this one's sets the end of its lease at most two leases ahead. A later time was set by
  // a clock that has since been set back, so it must not hold up the next backup.
  const isFarAhead = (column: string) => sql`${sql.ref(column)} > ${BigInt(nowMs + 2 * leaseMs)}`;
  const hasPassed = (column: string, periodMs: number) =>
    sql`(${sql.ref(column)} <= ${BigInt(nowMs - periodMs)} or ${isFarAhead(column)})`;
  // A good backup that an operator made has replaced the record of the schedule's last one, which began when it was tried.
  const isLeft = sql`(holder <> ${nobody} or ${hasPassed('tried_at', everyMs)})`;
  const isByOperator = sql`good_file not like ${filesLike} and ${isLeft}`;
  const hasNoRecentOne = sql`(good_at is null or ${hasPassed('good_at', everyMs)} or (${isByOperator}))`;
  return sql`${hasPassed('lease_until', 0)} and ${hasPassed('tried_at', retryMs)} and ${hasNoRecentOne}`;
}

/** Returns the last good backup that the database knows of. */
export async function readLastGood({ db }: Session): Promise<GoodBackup | undefined> {
  const row = await db
    .selectFrom('backup_state')
    .select(['good_at', 'good_file', 'good_bytes'])
    .where('name', '=', rowName)
    .executeTakeFirst();
  if (row === undefined || row.good_at === null) return undefined;
  return { atMs: Number(row.good_at), file: row.good_file, bytes: Number(row.good_bytes) };
}
