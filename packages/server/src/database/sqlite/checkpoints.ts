import { once } from 'node:events';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** 32 MB of log: a page that many writes change goes into the database once. */
const framesMax = 8_000;

/** What is left after a checkpoint, and goes into the database in some milliseconds. */
const remainderMax = 500;

/** The log has grown faster than a thread empties it: the writes must wait, or it fills the disk. */
const framesOfOverload = 4 * framesMax;

/** The first version that tells how long the log is without a checkpoint. */
const versionMin = [3, 51] as const;

/** Code and not a file, because the command is published in one piece. */
const workerCode = `
  const { workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  // A file that was removed underneath the server must not be made again, empty.
  const database = new DatabaseSync(new URL(workerData), { timeout: 0 });
  database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0');
  database.prepare('pragma wal_checkpoint(passive)').get();
  database.close();
`;

interface LogState {
  readonly log: bigint;
  readonly checkpointed: bigint;
}

/**
 * Moves what was committed from the write-ahead log into the database in a thread. SQLite would do it within a
 * commit, which takes a quarter of a second after a large batch and holds up the event loop.
 */
export class Checkpoints {
  readonly #connection: DatabaseSync;
  readonly #path: string;
  /** Absent where SQLite makes its checkpoints by itself. */
  #readState: StatementSync | undefined;
  #running: Promise<void> | undefined;
  /** Whether a thread has been through, and only what came meanwhile is left. */
  #hasRemainder = false;

  /** @param connection the one that writes */
  constructor(connection: DatabaseSync, path: string) {
    this.#connection = connection;
    this.#path = path;
    if (!isRecent(connection)) return;
    connection.exec('pragma wal_autocheckpoint = 0');
    this.#readState = connection.prepare('pragma wal_checkpoint(noop)');
  }

  /** To be called after each commit, outside of a transaction. */
  runIfDue(): void {
    if (this.#readState === undefined || this.#running !== undefined) return;
    const { log, checkpointed } = this.#readState.get() as unknown as LogState;
    const frames = Number(log - checkpointed);
    if (frames >= framesOfOverload || (this.#hasRemainder && frames <= remainderMax)) {
      // Only a log that is in the database as a whole begins again at its start.
      this.#connection.prepare('pragma wal_checkpoint(passive)').get();
      this.#hasRemainder = false;
    } else if (frames >= framesMax || this.#hasRemainder) {
      this.#running = this.#runThread();
    }
  }

  /** Resolves once no thread is at work. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #runThread(): Promise<void> {
    try {
      const worker = new Worker(workerCode, {
        eval: true,
        workerData: `${pathToFileURL(this.#path).href}?mode=rw`,
        execArgv: [],
      });
      await once(worker, 'exit');
      this.#hasRemainder = true;
    } catch {
      // SQLite does it by itself then.
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
