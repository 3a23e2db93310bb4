import type { RunningServer } from '../main.ts';

/** Several processes on one port, which can be replaced one after another. */
export interface SupervisedWorkers extends RunningServer {
  /**
   * Resolves once every worker serves, or the start has been stopped. Rejects with a `ListenError` if one cannot
   * start; all others have stopped then.
   */
  readonly allServing: Promise<void>;

  /**
   * Reads the configuration file again and replaces every worker: the new one serves before the old one stops. No
   * request fails. Once earlier restarts have ended, a worker that waits out a pause before its start is started,
   * because the cause may be gone.
   *
   * @throws {Error} when the file has an error, or a worker does not start with it; the others stay as they are
   */
  restart(): Promise<void>;
}

/** How many workers, and where they listen. */
export interface WorkerSettings {
  readonly workers: number;
  readonly host: string;
  readonly port: number;
  /** Where the metrics of all workers are served; '' serves none. */
  readonly metrics: string;
  /** Host and port of the console's own listener; '' when it shares the port. */
  readonly consoleListen: string;
  /** How long a worker that starts may wait for its database. */
  readonly waitForDatabaseSeconds: number;
}
