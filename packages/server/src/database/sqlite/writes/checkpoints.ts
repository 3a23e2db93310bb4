import { once } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** 32 MB of log, so that a page changed by many writes is copied into the database once. */
const framesMax = 8_000;

/** How many frames the event loop's thread may copy after a checkpoint, which takes some milliseconds. */
const remainderMax = 500;

/** At this size the log grows faster than a thread empties it. Writes must wait, or the log fills the disk. */
const framesOfOverload = 4 * framesMax;

/** The first version that reports the log's length without a checkpoint. */
const versionMin = [3, 51] as const;

/** Inline code instead of a file, because the command is published as a single file. */
const workerCode = `
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  parentPort.on('message', () => {
    // Opens the file each time, because another one may have taken its place. A removed file must not be made again,
    // empty.
    const database = new DatabaseSync(new URL(workerData), { timeout: 0 });
    database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0');
    database.prepare('pragma wal_checkpoint(passive)').get();
    database.close();
    parentPort.postMessage('done');
  });
`;

interface LogState {
  readonly log: bigint;
  readonly checkpointed: bigint;
}

/**
 * Copies committed pages from the write-ahead log into the database in a thread. SQLite would do so within a commit,
 * which takes a quarter of a second after a large batch and blocks the event loop.
 */
export class Checkpoints {
  readonly #connection: DatabaseSync;
  readonly #path: string;
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

  /** @param connection the writing connection */
  constructor(connection: DatabaseSync, path: string) {
    this.#connection = connection;
    this.#path = path;
    if (!isRecent(connection)) return;
    connection.exec('pragma wal_autocheckpoint = 0');
    this.#readState = connection.prepare('pragma wal_checkpoint(noop)');
  }

  /** Must be called after each commit, outside any transaction. */
  runIfDue(): void {
    if (this.#readState === undefined || this.#running !== undefined) return;
    const { log, checkpointed } = this.#readState.get() as unknown as LogState;
    const frames = Number(log - checkpointed);
    if (frames >= framesOfOverload || (this.#hasRemainder && frames <= remainderMax)) {
      // The log restarts at its beginning only once all of it is in the database.
      this.#connection.prepare('pragma wal_checkpoint(passive)').get();
      this.#hasRemainder = false;
    } else if (frames >= framesMax || this.#hasRemainder) {
      this.#running = this.#runInThread();
    }
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

  async #runInThread(): Promise<void> {
    try {
      this.#thread ??= new Worker(workerCode, {
        eval: true,
        workerData: `${pathToFileURL(this.#path).href}?mode=rw`,
        execArgv: [],
      });
      this.#thread.ref();
      this.#thread.postMessage('run');
      // Rejects when the thread reports an error, which also ends the thread.
      await once(this.#thread, 'message');
      this.#thread.unref();
      this.#hasRemainder = true;
    } catch {
      this.#thread = undefined;
      // Let SQLite run its checkpoints itself.
      this.#readState = undefined;
      this.#connection.exec(`pragma wal_autocheckpoint = ${framesMax}`);
    } finally {
      this.#running = undefined;
    }
  }
}

function isRecent(connection: DatabaseSync): boolean {
  const { version } = connection.prepare('select sqlite_version() as version').get() as { version: string };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1]);
}
