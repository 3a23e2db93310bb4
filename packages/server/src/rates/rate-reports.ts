import type { RateUse } from './shared-limit.ts';

/** What one process reports, by APPID. */
export type RateReport = Readonly<Record<string, RateUse>>;

/** The reports of several processes, by an id that no two processes share. */
export type RateReports = Readonly<Record<string, RateReport>>;

/** What the workers of one supervisor know of each other. */
export interface WorkerReports {
  /** The latest reports of the other workers. */
  readonly siblings: RateReports;
  /** The latest reports of other nodes' processes. */
  readonly remote: RateReports;
  /** Whether this worker exchanges reports with other nodes, for all of its siblings. */
  readonly speaks: boolean;
  /** @param remote what other nodes reported; only from the worker that speaks */
  publish(own: RateReports, remote?: RateReports): void;
}

/** Where the processes of all nodes leave their reports for each other. */
export interface ReportBoard {
  /** Leaves the reports of this node, and returns those of other nodes. */
  exchange(ofThisNode: RateReports): Promise<RateReports>;
}
