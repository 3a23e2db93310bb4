import type { RateReports } from '../database/database.ts';

/** The reports that the workers of one supervisor share. */
export interface WorkerReports {
  /** The latest reports of the other workers. */
  readonly siblings: RateReports;
  /** The latest reports of other nodes' processes. */
  readonly remote: RateReports;
  /** Whether this worker exchanges reports with other nodes, for all of its siblings. */
  readonly isLeader: boolean;
  /** @param remote what other nodes reported; only from the leader */
  publish(own: RateReports, remote?: RateReports): void;
}
