/** A backup that was read back and found to be complete. */
export interface GoodBackup {
  /** The moment that it shows, in Unix milliseconds. */
  readonly atMs: number;
  readonly file: string;
  readonly bytes: number;
}

/** When a process may make the next scheduled backup. */
export interface BackupTurn {
  /** Name of the process, different from every other. */
  readonly holder: string;
  /** Time from one good backup to the next, in milliseconds. */
  readonly everyMs: number;
  /** Shortest time from one attempt to the next, in milliseconds. */
  readonly retryMs: number;
  /** How long the turn lasts unless it is extended, in milliseconds. */
  readonly leaseMs: number;
}

/** The database's record of its own backups. Backups leave it out, because it describes this installation. */
export interface Backups {
  /** Takes the turn to make a backup if one is due and no other process has the turn. Returns whether it did. */
  takeTurn(turn: BackupTurn): Promise<boolean>;
  /** Returns whether the process still has the turn. */
  extendTurn(turn: BackupTurn): Promise<boolean>;
  endTurn(holder: string): Promise<void>;
  recordGood(backup: GoodBackup): Promise<void>;
  /** Returns the last good backup, for metrics, alerts and checks; `undefined` before the first. */
  lastGood(): Promise<GoodBackup | undefined>;
}
