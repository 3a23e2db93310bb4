import { once } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Notice } from '../../../logging/notice.ts';
import { ownModule } from '../../../own-files.ts';
import type { CheckpointWorkerData, LogState } from './checkpoint-worker.ts';

/** 32 MB of log, so that a page changed by many writes is copied into the database once. */
const framesMax = 8_000;

/** How many frames the event loop's thread may copy after a checkpoint, which takes some milliseconds. */
const remainderMax = 500;

/**
 * How many frames writes may add while a thread copies. The log then grows faster than the thread empties it, so writes
 * must wait, or the log fills the disk.
 */
const framesMeanwhileMax = 3 * framesMax;

/** The first version that reports the log's length without a checkpoint. */
const versionMin = [3, 51] as const;

interface Frames {
  readonly log: number;
  /** Those that are not in the database. */
  readonly remaining: number;
}

/**
 * Copies committed pages from the write-ahead log into the database in a thread. SQLite would do so within a commit,
 * which takes seconds after a large batch and blocks the event loop.
 *
 * While a thread copies the log, writes add frames after it, and the log restarts at its beginning only once all of them
 * are copied. Under constant writes it therefore grows beyond the size at which a copy begins.
 */
export class Checkpoints {
  readonly #connection: DatabaseSync;
  readonly #path: string;
  readonly #notice: Notice | undefined;
  /** Absent if SQLite runs its checkpoints itself. */
  #readState: StatementSync | undefined;
  /**
   * Stays for the next checkpoint: while a new thread starts, a busy server writes as many frames as the remainder may
   * have.
   */
  #thread: Worker | undefined;
  #running: Promise<void> | undefined;
  /** Whether a thread has run a checkpoint, so that only later pages remain. */
  #hasRemainder = false;
  /** At this number of frames, writes wait for the thread. */
  #framesOfOverload = 0;
  /** The number of frames when the last checkpoint that moved nothing began, if nothing has been moved since. */
  #framesWhenStuck: number | undefined;

  /**
   * @param connection the writing connection
   * @param notice receives a message when SQLite must run its checkpoints itself because one failed
   */
  constructor(connection: DatabaseSync, path: string, notice?: Notice) {
    this.#connection = connection;
    this.#path = path;
    this.#notice = notice;
    if (!isRecent(connection)) return;
    connection.exec('pragma wal_autocheckpoint = 0');
    this.#readState = connection.prepare('pragma wal_checkpoint(noop)');
  }

  /**
   * Must be called after each commit, outside any transaction. Never fails: a commit stays one even if its pages cannot be
   * copied.
   *
   * @returns what the next write must wait for, if the log would grow too large otherwise
   */
  runIfDue(): Promise<void> | undefined {
    try {
      return this.#runIfDue();
    } catch (error) {
      this.#leaveToSqlite(error);
      return undefined;
    }
  }

  #runIfDue(): Promise<void> | undefined {
    if (this.#readState === undefined) return undefined;
    const frames = framesOf(this.#readState.get() as LogState);
    if (this.#running === undefined && !this.#begin(frames)) return undefined;
    // While a reader keeps the log from being copied, as a backup does, waiting would not help.
    const mustWait = frames.log >= this.#framesOfOverload && this.#framesWhenStuck === undefined;
    return mustWait ? this.#running : undefined;
  }

  /** Resolves once no checkpoint is running in the thread. */
  async ended(): Promise<void> {
    await this.#running;
  }

  /** Waits for a running checkpoint, and ends the thread. */
  async close(): Promise<void> {
    await this.#running;
    await this.#thread?.terminate();
  }

  /** Begins a checkpoint in the thread if one is due, and returns whether it did. */
  #begin({ log, remaining }: Frames): boolean {
    if (this.#hasRemainder && remaining <= remainderMax) {
      // The log restarts at its beginning only once all of it is in the database.
      this.#connection.prepare('pragma wal_checkpoint(passive)').get();
      this.#hasRemainder = false;
      this.#framesWhenStuck = undefined;
      return false;
    }
    if (!this.#hasRemainder) {
      if (remaining < framesMax) return false;
      // Counted from here, because a single write may be larger.
      this.#framesOfOverload = log + framesMeanwhileMax;
    }
    if (this.#framesWhenStuck !== undefined && log < this.#framesWhenStuck + remainderMax) return false;
    this.#running = this.#runInThread({ log, remaining });
    return true;
  }

  async #runInThread(before: Frames): Promise<void> {
    try {
      this.#thread ??= startThread(this.#path);
      this.#thread.ref();
      this.#thread.postMessage('run');
      // Rejects when the thread reports an error, which also ends the thread.
      const [state] = (await once(this.#thread, 'message')) as [LogState];
      this.#thread.unref();
      this.#hasRemainder = true;
      // As the thread reports it: this connection cannot tell while a transaction is open.
      this.#framesWhenStuck = hasMoved(before, framesOf(state)) ? undefined : before.log;
    } catch (error) {
      this.#thread = undefined;
      this.#leaveToSqlite(error);
    } finally {
      this.#running = undefined;
    }
  }

  /** Lets SQLite run its checkpoints itself, within commits. */
  #leaveToSqlite(error: unknown): void {
    if (this.#readState === undefined) return;
    this.#readState = undefined;
    this.#connection.exec(`pragma wal_autocheckpoint = ${framesMax}`);
    this.#notice?.(
      { file: this.#path, cause: String(error) },
      'the log of the database could not be copied into it; from now on, commits copy it, and large ones may delay requests; see the cause, and restart this node once it is gone',
    );
  }
}

function startThread(path: string): Worker {
  // A file that was removed must not be made again, empty.
  const workerData: CheckpointWorkerData = { url: `${pathToFileURL(path).href}?mode=rw` };
  return new Worker(ownModule('database/sqlite/writes/checkpoint-worker'), { workerData, execArgv: [] });
}

function framesOf({ log, checkpointed }: LogState): Frames {
  return { log: Number(log), remaining: Number(log) - Number(checkpointed) };
}

/** Returns whether frames have been copied, or the log has restarted, which takes a copy of all. */
function hasMoved(before: Frames, after: Frames): boolean {
  return after.log < before.log || after.log - after.remaining > before.log - before.remaining;
}

function isRecent(connection: DatabaseSync): boolean {
  const { version } = connection.prepare('select sqlite_version() as version').get() as { version: string };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1]);
}
