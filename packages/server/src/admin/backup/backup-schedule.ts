import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Settings } from '../../config.ts';
import type { BackupLease, Backups } from '../../database/database.ts';
import type { Logger } from '../../logging/logger.ts';
import { PeriodicTask } from '../../upkeep/periodic-task.ts';
import { AdminError } from '../admin-error.ts';
import { whyNoBackupFolder } from './backup-folder.ts';
import { removeOldestBackups } from './remove-oldest-backups.ts';
import { scheduledFileName, scheduledPathsLike } from './scheduled-backups.ts';

/**
 * Makes a verified backup and records it in the database.
 *
 * @param signal aborts when the process stops or has lost its lease
 */
export type MakeBackup = (file: string, signal: AbortSignal) => Promise<void>;

interface Parts {
  readonly settings: Pick<Settings, 'backupEveryMs' | 'backupTo' | 'backupKeep'>;
  readonly backups: Backups;
  readonly makeBackup: MakeBackup;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Unix milliseconds. */
  readonly now?: () => number;
}

const lookEveryMs = 10_000;

const extendEveryMs = 30_000;

/**
 * If a process dies during a backup, its lease ends after this time. Another one can take it once `retryMs` have passed
 * too.
 */
const leaseMs = 180_000;

/** Logged with the files. */
const filesStay =
  'these files have names of scheduled backups, but cannot be read or removed, and stay; move them elsewhere';

/** How long to wait from the start of one attempt to the next; never longer than the time between backups. */
const retryMsMax = 600_000;

/**
 * Makes backups at regular times. All processes that serve a database look for the next one that is due; the database
 * gives the lease to one of them.
 */
export class BackupSchedule {
  readonly #parts: Parts;
  readonly #lease: BackupLease;
  readonly #stopping = new AbortController();
  readonly #task: PeriodicTask;
  /** Files that stay in the folder, and that a warning has named: the next backup meets them again. */
  #toldToStay: ReadonlySet<string> = new Set();
  /** Why there is no folder, while the first run follows a start that has warned of it. */
  #toldAtStart: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const everyMs = parts.settings.backupEveryMs;
    this.#lease = {
      holder: randomUUID(),
      everyMs,
      filesLike: scheduledPathsLike,
      leaseMs,
      retryMs: Math.min(retryMsMax, everyMs),
    };
    this.#task = new PeriodicTask(() => this.#backUpIfDue(), {
      intervalMs: lookEveryMs,
      onError: (error) => this.#noteFailure(error),
    });
  }

  /** Does nothing if no backups are set up. */
  start(): void {
    if (this.#lease.everyMs === 0) return;
    this.#task.start();
    this.#toldAtStart = whyNoBackupFolder(this.#parts.settings.backupTo);
    void this.run().finally(() => {
      this.#toldAtStart = undefined;
    });
  }

  /** Ends the schedule and aborts a running backup. Resolves once it has stopped. */
  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#task.stop();
  }

  /** Makes a backup if one is due and no other process makes it. Never rejects. */
  run(): Promise<void> {
    return this.#task.run();
  }

  async #backUpIfDue(): Promise<void> {
    const { backups } = this.#parts;
    if (!(await backups.takeLease(this.#lease))) return;
    await this.#backUp();
    await backups.endLease(this.#lease.holder, true);
  }

  async #noteFailure(error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { backups, logger } = this.#parts;
    const { retryMs, holder } = this.#lease;
    const cause = error instanceof Error ? error.message : String(error);
    if (cause === this.#toldAtStart)
      logger.info(
        { retry_after_ms: retryMs },
        'no backup was made; the next attempt comes after retry_after_ms',
      );
    else logger.warn({ cause, retry_after_ms: retryMs }, 'a backup failed; older ones were kept');
    // If the database does not answer, the lease expires.
    await backups.endLease(holder, false).catch(() => {});
  }

  async #backUp(): Promise<void> {
    const { settings, makeBackup, logger, now = Date.now } = this.#parts;
    const startedMs = performance.now();
    const folder = resolve(settings.backupTo);
    requireFolder(folder);
    const atMs = now();
    const file = join(folder, scheduledFileName(atMs));
    const lost = new AbortController();
    const extension = setInterval(() => void this.#extend(lost), extendEveryMs).unref();
    try {
      await makeBackup(file, AbortSignal.any([this.#stopping.signal, lost.signal]));
    } finally {
      clearInterval(extension);
    }
    const removed = await this.#removeOldest({ file, atMs });
    logger.info(
      { file, duration_ms: Math.round(performance.now() - startedMs), removed },
      'made and verified a backup',
    );
  }

  /** Never rejects: the new backup is good even if older ones stay. */
  async #removeOldest(made: { readonly file: string; readonly atMs: number }): Promise<readonly string[]> {
    const { settings, logger } = this.#parts;
    try {
      const { removed, stayed } = await removeOldestBackups(made, settings.backupKeep);
      const files = [...stayed.keys()].filter((file) => !this.#toldToStay.has(file));
      this.#toldToStay = new Set(stayed.keys());
      if (files[0] !== undefined) logger.warn({ files, cause: stayed.get(files[0]) }, filesStay);
      return removed;
    } catch (error) {
      logger.warn({ cause: (error as Error).message }, 'made a good backup, but could not remove older ones');
      return [];
    }
  }

  async #extend(lost: AbortController): Promise<void> {
    // While the database does not answer, this process may still have the lease; the next extension finds out.
    const kept = await this.#parts.backups.extendLease(this.#lease).catch(() => true);
    if (!kept) lost.abort();
  }
}

/** The command that makes the backup would advise to name another file, but the operator named the folder. */
function requireFolder(folder: string): void {
  const problem = whyNoBackupFolder(folder);
  if (problem !== undefined) throw new AdminError(problem);
}
