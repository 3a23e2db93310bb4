import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** What SQLite reports about the log. */
export type LogState = Readonly<Record<'log' | 'checkpointed', bigint | number>>;

/** What the thread is started with. */
export interface CheckpointWorkerData {
  /** URL of the database file. */
  readonly url: string;
}

const { url } = workerData as CheckpointWorkerData;

parentPort?.on('message', () => {
  // Opens the file each time, because another one may have taken its place.
  const database = new DatabaseSync(new URL(url), { timeout: 0 });
  database.exec('pragma synchronous = full; pragma wal_autocheckpoint = 0');
  const state = database.prepare('pragma wal_checkpoint(passive)').get() as LogState;
  database.close();
  parentPort?.postMessage(state);
});
