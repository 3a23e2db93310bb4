/** A backup that was read back and found to be complete. */
export interface GoodBackup {
  /** The moment that it shows, in Unix milliseconds. */
  readonly atMs: number;
  readonly file: string;
  readonly bytes: number;
}

/** The lease under which one process at a time makes a scheduled backup, and when the next one is due. */
export interface BackupLease {
  /** Name of the process, different from every other. */
  readonly holder: string;
  /** Time from one good backup to the next, in milliseconds. */
  readonly everyMs: number;
  /** Pattern of `LIKE` for the files of scheduled backups. Another good backup does not put off the next scheduled one. */
  readonly filesLike: string;
  /** Shortest time from one attempt to the next, in milliseconds. */
  readonly retryMs: number;
  /** How long the lease lasts unless it is extended, in milliseconds. */
  readonly leaseMs: number;
}

/** The database's record of its own backups. Backups leave it out, because it describes this installation. */
export interface Backups {
  /** Takes the lease if a backup is due and no other process has the lease. Returns whether it did. */
  takeLease(lease: BackupLease): Promise<boolean>;
  /** Returns whether the process still has the lease. */
  extendLease(lease: BackupLease): Promise<boolean>;
  /** Ends the lease. Unless its backup is made, another attempt may follow after `retryMs`. */
  endLease(holder: string, isMade: boolean): Promise<void>;
  recordGood(backup: GoodBackup): Promise<void>;
  /** Returns the last good backup, for metrics, alerts and checks; `undefined` before the first. */
  lastGood(): Promise<GoodBackup | undefined>;
}
